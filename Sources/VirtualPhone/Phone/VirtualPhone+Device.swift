internal import Recurrence
internal import UserNotifications
internal import Synchronization

extension VirtualPhone {
    /// Locks the phone; the app in front goes to the background.
    public func lock() async {
        change { contents in
            guard !contents.screen.isLocked else { return }
            contents.log(.locked)
            contents.screen.lock()
            if let front = contents.front { contents.apply(.left, to: front) }
        }
        await settle()
    }

    /// Unlocks the phone; the app that was in front comes back.
    public func unlock() async {
        change { $0.unlock(opensFront: true) }
        await settle()
    }

    /// Sets whether what needs an unlocked phone unlocks it, as to begin with; else it is refused.
    public func setUnlocksByFace(_ unlocks: Bool) { change { $0.unlocksByFace = unlocks } }

    /// Turns a Focus on, or off with nil.
    public func setFocus(_ focus: Focus?) {
        change { contents in
            contents.focus = focus
            contents.log(.focus, focus?.name ?? "off")
        }
    }

    /// Sets the ring switch.
    public func setMuted(_ isMuted: Bool) {
        change { contents in
            contents.isMuted = isMuted
            contents.log(.muted, isMuted ? "on" : "off")
        }
    }

    /// Low Power Mode: apps are not woken in the background, and the gateway keeps what is not urgent.
    public func setLowPower(_ isOn: Bool) async {
        change { contents in
            contents.isLowPower = isOn
            contents.log(.lowPower, isOn ? "on" : "off")
        }
        await tell(.powerSaving(isOn))
        await settle()
    }

    /// Airplane mode: the link is closed, and what comes meanwhile waits on the other side.
    public func setAirplane(_ isOn: Bool) async {
        let isNew = change { contents in
            guard contents.isAirplane != isOn else { return false }
            contents.isAirplane = isOn
            contents.log(isOn ? .offline : .online)
            return true
        }
        guard isNew else { return }
        if isOn { await disconnectLink() } else { await connectLink() }
        await settle()
    }

    /// The phone travels: what is due by its clock moves, what is due at a moment stays.
    ///
    /// - Throws: `value` for a zone that is unknown.
    public func setZone(_ name: String) async throws(PhoneError) {
        let zone = try Self.zone(name)
        let links = change { contents in
            contents.zone = zone
            contents.log(.zone, zone.name)
            return contents.slots.values.compactMap(\.host.link)
        }
        for link in links { link.zoneChanged() }
        await settle()
    }

    /// The phone crosses the border of a region: location triggers of that region fire.
    public func cross(region identifier: String, isEntry: Bool) async {
        let services = contents.withLock { contents in
            contents.order.compactMap { contents.slots[$0]?.center?.service }
        }
        for service in services { service.cross(region: identifier, isEntry: isEntry) }
        await settle()
    }

    /// Sets the language; texts that are looked up when they are shown change with it.
    public func setLanguage(_ language: String) {
        change { contents in
            contents.language = language
            contents.log(.language, language)
        }
    }

    /// Lets an app work in the background, or not (Settings, Background App Refresh).
    public func setBackgroundRefresh(_ isOn: Bool, for app: String) throws(PhoneError) {
        try change { contents throws(PhoneError) in
            _ = try contents.slot(app)
            contents.slots[app]?.allowsBackgroundRefresh = isOn
            contents.log(.settings, app: app, "Background App Refresh \(isOn ? "on" : "off")")
        }
    }

    // MARK: Permission and Settings

    /// Sets what the user answers from now on.
    public func setPermissionAnswer(_ answer: PermissionAnswer) { change { $0.permission = answer } }

    /// Answers the question on the screen.
    ///
    /// - Throws: `state` when there is none.
    public func answerPermission(isAllowed: Bool) async throws(PhoneError) {
        let waiting = try contents.withLock { contents throws(PhoneError) in
            guard let waiting = contents.promptAnswer else {
                throw PhoneError(.state, "no app asks for permission now")
            }
            contents.promptAnswer = nil
            return waiting
        }
        waiting.resume(returning: isAllowed)
        await settle()
    }

    func askPermission(
        _ options: UNAuthorizationOptions, for app: String, link: NotificationHostLink?
    ) async -> Bool {
        let answer = change { contents in
            contents.log(.asked, app: app)
            contents.prompt = PermissionPrompt(
                app: app, name: contents.slots[app]?.manifest.name ?? app)
            // The question lies over the app.
            contents.apply(.covered, to: app)
            return contents.permission
        }
        let isAllowed: Bool
        switch answer {
        case .allow: isAllowed = true
        case .deny: isAllowed = false
        case .ask(let decide): isAllowed = await decide(app, options)
        case .wait:
            isAllowed = await withCheckedContinuation { continuation in
                // Two apps cannot ask at once: the one before gets a no.
                let before = contents.withLock { contents in
                    defer { contents.promptAnswer = continuation }
                    return contents.promptAnswer
                }
                before?.resume(returning: false)
                link?.park()
                wakeWaiters()
            }
            link?.unpark()
        }
        change { contents in
            contents.prompt = nil
            contents.log(isAllowed ? .allowed : .denied, app: app)
            contents.apply(.uncovered, to: app)
        }
        if !isAllowed { begin { await self.tell(.enabled(app, false)) } }
        return isAllowed
    }

    /// The user changes an app's page in Settings, for which they leave the app in front.
    ///
    /// - Throws: `app`.
    public func changeSettings(
        of app: String, _ change: @escaping @Sendable (inout AppSettings) -> Void
    ) async throws(PhoneError) {
        let slot = try slot(app)
        self.change { $0.goHome() }
        await settle()
        guard let center = slot.center else { return }
        center.service.change { machine in
            machine.changeSettings { record in
                var settings = AppSettings(record)
                change(&settings)
                settings.apply(to: &record)
            }
        }
        await settle()
        let allows = AppSettings(slot.host.state?.settings ?? SettingsRecord()).allowsNotifications
        self.change { $0.log(.settings, app: app, "notifications \(allows ? "on" : "off")") }
        await tell(.enabled(app, allows))
    }

    /// The user presses Keep below a quiet notification: more come, as quietly.
    public func keepNotifications(of app: String) async throws(PhoneError) {
        try await answerTrial(of: app, keeps: true)
    }

    /// The user presses Turn Off below a quiet notification.
    public func turnOffNotifications(of app: String) async throws(PhoneError) {
        try await answerTrial(of: app, keeps: false)
    }

    private func answerTrial(of app: String, keeps: Bool) async throws(PhoneError) {
        let slot = try slot(app)
        guard AppSettings(slot.host.state?.settings ?? SettingsRecord()).status == .provisional else {
            throw PhoneError(.state, "\(app) does not notify on trial")
        }
        slot.center?.service.change { $0.answerProvisional(keeps: keeps) }
        change { contents in
            contents.screen.endTrial(of: app)
            contents.log(keeps ? .kept : .turnedOff, app: app)
        }
        await settle()
        if !keeps { await tell(.enabled(app, false)) }
    }

    /// The user follows the link on an app's page in Settings to the app's own settings.
    ///
    /// - Throws: `app`; `state` for an app that did not ask with `providesAppNotificationSettings`.
    public func openAppNotificationSettings(of app: String) async throws(PhoneError) {
        let slot = try slot(app)
        guard slot.host.state?.settings.providesAppNotificationSettings == true else {
            throw PhoneError(.state, "\(app) did not say that it has notification settings of its own")
        }
        try await open(app)
        slot.center?.service.openSettings(for: nil)
        await settle()
    }
}
