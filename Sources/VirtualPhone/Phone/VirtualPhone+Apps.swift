internal import APNs
internal import Recurrence
public import UserNotifications
internal import Synchronization

extension VirtualPhone {
    /// How long a deleted app's permission is remembered under the default policy, in milliseconds.
    private static let decisionMilliseconds: Int64 = 24 * 3_600_000

    /// Puts an app on the phone; it is not started.
    ///
    /// - Throws: `app` when one of its bundle identifier is there.
    public func install<App: PhoneApp>(_ type: App.Type) async throws(PhoneError) {
        try await install(App.manifest) { App() }
    }

    /// Puts an app on the phone whose object a closure makes at each start: for apps that a test gives something.
    ///
    /// - Throws: `app` when one of its bundle identifier is there.
    public func install(
        _ manifest: AppManifest, _ make: @escaping @MainActor @Sendable () -> any PhoneApp
    ) async throws(PhoneError) {
        try install(manifest, make, storage: AppStorage(), state: nil)
        await settle()
    }

    func install(
        _ manifest: AppManifest, _ make: @escaping @MainActor @Sendable () -> any PhoneApp,
        storage: AppStorage, state: NotificationState?
    ) throws(PhoneError) {
        let app = manifest.bundleIdentifier
        let host = try contents.withLock { contents throws(PhoneError) in
            guard contents.slots[app] == nil else {
                throw PhoneError(.app, "\(app) is on the phone; uninstall it first")
            }
            let former = contents.formerDecisions.removeValue(forKey: app).flatMap { former in
                let age = contents.now.millisecondsSince1970 - former.deletedAt.millisecondsSince1970
                let isKept =
                    contents.policy.decisionAfterUninstall == .kept
                    || contents.policy.decisionAfterUninstall == .keptForADay
                        && age < Self.decisionMilliseconds
                return isKept ? former.state : nil
            }
            let host = PhoneHost(
                app: app, phone: self, policy: contents.policy.notifications, state: state ?? former)
            contents.slots[app] = .init(
                manifest: manifest, make: make, host: host, storage: storage,
                vendorIdentifier: contents.uuid())
            contents.order.append(app)
            contents.apply(.installed, to: app)
            return host
        }
        // Outside the lock: a centre calls its host while it is made.
        let center = UNUserNotificationCenter(host: host)
        change { $0.slots[app]?.center = center }
    }

    /// Deletes an app with everything it kept.
    public func uninstall(_ app: String) async throws(PhoneError) {
        let slot = try slot(app)
        await settle()
        let (token, question) = change {
            contents -> (DeviceToken?, CheckedContinuation<Bool, Never>?) in
            let token = contents.slots[app]?.token
            contents.apply(.uninstalled, to: app)
            for entry in contents.screen.withdrawAll(of: app) {
                contents.log(.withdrawn, app: app, notification: entry.id)
            }
            contents.activities.removeAll(of: app)
            var decision = NotificationState()
            if let state = slot.host.state { decision.takeDecision(of: state) }
            contents.formerDecisions[app] = .init(state: decision, deletedAt: contents.now)
            if contents.front == app { contents.front = nil }
            guard contents.prompt?.app == app else { return (token, nil) }
            contents.prompt = nil
            defer { contents.promptAnswer = nil }
            return (token, contents.promptAnswer)
        }
        // The question went with its app.
        question?.resume(returning: false)
        await settle()
        slot.host.disconnect()
        change { contents in
            contents.slots[app] = nil
            contents.order.removeAll { $0 == app }
        }
        if token != nil { await tell(.uninstalled(app)) }
    }

    /// Deletes an app and installs it again: what it kept is gone, and it will get another device token.
    public func reinstall(_ app: String) async throws(PhoneError) {
        let slot = try slot(app)
        try await uninstall(app)
        try await install(slot.manifest, slot.make)
    }

    // MARK: Starting and ending

    /// The user opens an app by its icon; a locked phone is unlocked.
    ///
    /// - Throws: `app`; `state` when the phone is locked and does not know the user's face.
    public func open(_ app: String) async throws(PhoneError) {
        try open(app, handing: .nothing)
        await settle()
    }

    func open(
        _ app: String, handing: HandOver, options: LaunchOptions = LaunchOptions()
    ) throws(PhoneError) {
        try change { contents throws(PhoneError) in
            _ = try contents.slot(app)
            try contents.needUnlocked()
            if let front = contents.front, front != app { contents.apply(.left, to: front) }
            contents.front = app
            contents.log(.opened, app: app, options.isEmpty ? "" : "by a remote notification")
            contents.apply(.opened, to: app, handing: handing, options: options)
            if let held = contents.slots[app]?.held {
                contents.slots[app]?.held = nil
                contents.steps.append(
                    .call(app: app, .didReceiveRemoteNotification(held), .active, work: nil))
            }
        }
        begin { await self.tell(.launched(app)) }
    }

    /// The user goes to the home screen.
    public func goHome() async {
        change { $0.goHome() }
        await settle()
    }

    /// The user swipes an app away: it is not started in the background until the user opens it.
    ///
    /// - Throws: `app`; `state` when it does not run.
    public func forceQuit(_ app: String) async throws(PhoneError) {
        try end(app, .forceQuit)
        await tell(.forceQuit(app))
        await settle()
    }

    /// The system ends an app, for its memory.
    ///
    /// - Throws: `app`; `state` when it does not run.
    public func terminate(_ app: String) async throws(PhoneError) {
        try end(app, .terminated)
        await settle()
    }

    /// An app crashes.
    ///
    /// - Throws: `app`; `state` when it does not run.
    public func crash(_ app: String) async throws(PhoneError) {
        try end(app, .crashed)
        await settle()
    }

    private func end(_ app: String, _ event: AppLifecycle.Event) throws(PhoneError) {
        try change { contents throws(PhoneError) in
            let slot = try contents.slot(app)
            // A swiped-away app that does not run is swiped away all the same: nothing is left to say.
            guard contents.apply(event, to: app) else {
                throw PhoneError(.state, "\(app) does not run: it is \(slot.lifecycle.state.rawValue)")
            }
            if contents.front == app { contents.front = nil }
        }
    }

    /// The phone is restarted: no app runs afterwards, and it is locked.
    public func reboot() async {
        change { contents in
            contents.log(.rebooted)
            for app in contents.order { contents.apply(.rebooted, to: app) }
            contents.front = nil
            contents.screen.lock()
        }
        await settle()
    }

    // MARK: For tests

    /// The object of an app that runs; nil without a process.
    @MainActor
    public func app<App: PhoneApp>(_ type: App.Type = App.self) -> App? {
        processes.processes[App.manifest.bundleIdentifier]?.app as? App
    }

    /// What a running app has of itself; nil without a process.
    @MainActor
    public func application(_ app: String) -> Application? { processes.processes[app]?.application }

    /// The notification centre of an app.
    ///
    /// - Throws: `app` when it is not on the phone.
    public func notificationCenter(of app: String) throws(PhoneError) -> UNUserNotificationCenter {
        guard let center = try slot(app).center else {
            throw PhoneError(.state, "\(app) is being installed")
        }
        return center
    }

    /// What an app keeps.
    ///
    /// - Throws: `app` when it is not on the phone.
    public func storage(of app: String) throws(PhoneError) -> AppStorage { try slot(app).storage }

    // MARK: For the app

    func submitRefresh(_ app: String, at instant: Instant) -> Bool {
        change { contents in
            guard contents.slots[app]?.manifest.backgroundModes.contains(.fetch) == true else {
                contents.log(
                    .diagnosis, app: app, "a background refresh needs the background mode fetch")
                return false
            }
            let soonest = contents.now.advanced(byMilliseconds: 1)
            contents.slots[app]?.refresh = max(instant, soonest)
            return true
        }
    }

    func beginBackgroundTask(_ app: String) -> Int {
        change { contents in
            guard contents.slots[app]?.lifecycle.state.isRunning == true else { return 0 }
            return contents.beginWork("a background task", of: app)
        }
    }

    func endWork(_ number: Int, of app: String) { change { $0.endWork(number, of: app) } }

    func isBackgroundRefreshAvailable(_ app: String) -> Bool {
        contents.withLock { $0.slots[app]?.allowsBackgroundRefresh == true && !$0.isLowPower }
    }

    func vendorIdentifier(of app: String) -> String {
        contents.withLock { $0.slots[app]?.vendorIdentifier ?? "" }
    }

    func openURL(_ url: String, from app: String) { change { $0.log(.url, app: app, url) } }

    func openSettings(of app: String) {
        change { contents in
            contents.log(.settingsOpened, app: app)
            if contents.front == app { contents.goHome() }
        }
    }

    func string(forKey key: String, of app: String) -> String? {
        contents.withLock { contents in
            contents.slots[app]?.manifest.string(forKey: key, language: contents.language)
        }
    }
}

extension PhoneContents {
    mutating func goHome() {
        guard let app = front else { return }
        front = nil
        apply(.left, to: app)
        log(.left, app: app)
    }

    /// Unlocks the phone for something that needs it.
    mutating func needUnlocked() throws(PhoneError) {
        guard screen.isLocked else { return }
        guard unlocksByFace else {
            throw PhoneError(.state, "the phone is locked; unlock it first")
        }
        unlock(opensFront: false)
    }

    mutating func unlock(opensFront: Bool) {
        guard screen.isLocked else { return }
        screen.unlock()
        log(.unlocked)
        if opensFront, let front { apply(.opened, to: front) }
    }
}

extension NotificationState {
    /// Takes the user's decision over, and nothing else.
    mutating func takeDecision(of other: NotificationState) {
        settings = other.settings
        requestedOptions = other.requestedOptions
        isPromptAnswered = other.isPromptAnswered
    }
}
