public import APNs
internal import Dispatch
internal import Recurrence
internal import UserNotifications
internal import Synchronization

extension VirtualPhone {
    /// A push in the form of an `.apns` file, as `xcrun simctl push` takes it.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - app: the app; nil for the one that the file names.
    /// - Throws: `push` for what no device would take; `app` for one that is not on the phone.
    public func push(file text: [UInt8], to app: String? = nil) async throws(PhoneError) {
        let file = try SimulatorFile(text, target: app)
        _ = try slot(file.bundleIdentifier)
        let identifier = contents.withLock { $0.uuid() }
        await receive(
            RemotePush(
                bundleIdentifier: file.bundleIdentifier, payload: file.payload, identifier: identifier))
    }

    /// A push with a payload.
    ///
    /// - Parameters:
    ///   - payload: a JSON object with `aps`.
    ///   - app: the app it is for.
    ///   - collapseID: a later push with the same one takes its place.
    /// - Throws: as for a file.
    public func push(
        _ payload: JSONValue, to app: String, collapseID: String? = nil
    ) async throws(PhoneError) {
        let text: [UInt8]
        do {
            text = try payload.encoded()
        } catch {
            throw PhoneError(.push, error.message)
        }
        let file = try SimulatorFile(text, target: app)
        _ = try slot(app)
        let identifier = contents.withLock { collapseID ?? $0.uuid() }
        await receive(RemotePush(bundleIdentifier: app, payload: file.payload, identifier: identifier))
    }

    /// A VoIP push: an incoming call for the app, which PushKit hands to it whatever it is doing.
    ///
    /// - Throws: `push` for a payload that is no JSON object; `app` for one that is not on the phone.
    public func pushCall(_ payload: JSONValue, to app: String) async throws(PhoneError) {
        let text: [UInt8]
        do {
            text = try payload.encoded()
        } catch {
            throw PhoneError(.push, error.message)
        }
        _ = try slot(app)
        let identifier = contents.withLock { $0.uuid() }
        await receive(
            RemotePush(bundleIdentifier: app, payload: text, identifier: identifier, pushType: .voip))
    }

    /// A push arrives; returns when everything that follows is done.
    public func receive(_ push: RemotePush) async {
        deliver(push)
        await settle()
    }

    /// A push arrives.
    func deliver(_ push: RemotePush) {
        let app = push.bundleIdentifier
        if push.pushType == .liveactivity { return receiveLiveActivity(push) }
        let request: RequestRecord
        do {
            request = try RequestRecord(remote: push.payload, identifier: push.identifier)
        } catch {
            return change { contents in
                contents.log(.dropped, app: app, "the payload cannot be read: \(error.message)")
            }
        }
        if push.pushType == .voip { return receiveIncomingPush(request, for: app) }
        if let type = push.pushType, ![.alert, .background].contains(type) {
            return change { contents in
                contents.log(.dropped, app: app, "pushes of the type \(type.rawValue) are not simulated")
            }
        }
        let slot = contents.withLock { $0.slots[app] }
        let hasDelegate = slot?.center?.delegate != nil
        let kind = PushPlan.Kind(
            isVisible: request.content.hasText || request.content.sound != nil
                || request.content.badge != nil,
            isContentAvailable: request.isContentAvailable)
        let isShown = change { contents in
            contents.log(
                .received, app: app,
                push.identifier + (kind.isContentAvailable ? ", content-available" : ""))
            let slot = contents.slots[app]
            let situation = PushPlan.Situation(
                state: slot?.lifecycle.state ?? .notInstalled,
                lastEnd: slot?.lifecycle.lastEnd ?? .neverLaunched,
                hasBackgroundMode: slot?.manifest.backgroundModes.contains(.remoteNotification) ?? false,
                hasDelegate: hasDelegate, isRefreshAllowed: slot?.allowsBackgroundRefresh ?? true,
                isLowPower: contents.isLowPower)
            let plan = PushPlan(kind, in: situation)
            contents.carryOut(plan, request, app: app)
            return plan.isShown
        }
        guard isShown, let slot, let service = slot.center?.service else { return }
        if service.state.settings.authorizationStatus <= UNAuthorizationStatus.denied.rawValue {
            change { $0.log(.silent, app: app, "\(push.identifier): the user does not allow notifications") }
        }
        let isMutable = request.isMutable
        let makes = slot.manifest.serviceExtension
        if let makes,
            ServiceExtensionMachine.runs(
                for: request.content, isMutable: isMutable, settings: service.state.settings)
        {
            runExtension(makes(slot.storage), for: request, of: app, slot)
        } else {
            service.receive(request)
        }
    }

    // MARK: Service extension

    private func runExtension(
        _ made: UNNotificationServiceExtension, for request: RequestRecord, of app: String,
        _ slot: PhoneContents.Slot
    ) {
        guard let center = slot.center else { return }
        let ticket = change { contents in
            let number = contents.number()
            let ticket = CallbackTicket(number: number, app: app, isExtension: true) { [weak self] in
                self?.wakeWaiters()
            }
            contents.tickets[number] = ticket
            contents.extensions[number] = .init(
                app: app, end: contents.now.advanced(bySeconds: ServiceExtensionMachine.secondsMax),
                ticket: ticket)
            contents.log(.extensionStarted, app: app, request.identifier)
            return ticket
        }
        let run = ServiceExtensionRun(
            made, request: request, mayFilter: slot.manifest.mayFilterNotifications
        ) { [self] outcome in
            finishExtension(ticket.number, request, outcome, center)
        }
        contents.withLock { $0.extensions[ticket.number]?.run = run }
        // A thread of its own: an extension may block, as it may on iOS.
        DispatchQueue.global().async {
            CallbackTicket.$current.withValue(ticket) {
                UNUserNotificationCenter.withCurrent(center) { run.start() }
            }
        }
    }

    private func finishExtension(
        _ number: Int, _ request: RequestRecord, _ outcome: ServiceExtensionMachine.Outcome,
        _ center: UNUserNotificationCenter
    ) {
        var shown: RequestRecord?
        if case .show(let content) = outcome {
            var changed = request
            changed.content = content
            shown = changed
        }
        if let shown { center.service.receive(shown) }
        change { contents in
            contents.tickets[number] = nil
            let work = contents.extensions.removeValue(forKey: number)
            contents.log(
                .extensionFinished, app: work?.app,
                request.identifier + (shown == nil ? ": suppressed" : ""))
        }
    }

    func expireExtension(_ number: Int) async {
        let work = change { contents in
            let work = contents.extensions[number]
            // Out of the clock's way, whatever the extension does.
            contents.extensions[number]?.end = .init(millisecondsSince1970: .max)
            if let work { contents.log(.extensionExpired, app: work.app) }
            return work
        }
        guard let run = work?.run else { return }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                run.expire()
                continuation.resume()
            }
        }
    }
}

extension PhoneContents {
    /// Does with the app what a plan says.
    fileprivate mutating func carryOut(_ plan: PushPlan, _ request: RequestRecord, app: String) {
        switch plan.app {
        case .untouched: break
        case .called, .woken, .launched:
            wake(
                app, byUser: false, named: "the push \(request.identifier)",
                options: LaunchOptions(remote: request)
            ) { .push(request, work: $0) }
        case .held(let why):
            if let older = slots[app]?.held {
                log(.dropped, app: app, "\(older.identifier): a newer one takes its place")
            }
            slots[app]?.held = request
            log(.held, app: app, "\(request.identifier): \(why)")
        case .dropped(let why):
            // What is shown is not dropped; only the app does not hear of it.
            log(.dropped, app: app, "\(request.identifier): \(why)")
        }
    }

    /// An identifier that the system makes up.
    mutating func uuid() -> String { NotificationID.random(using: &random).uppercasedUUIDString }
}

extension RequestRecord {
    /// Whether the payload says `content-available`.
    var isContentAvailable: Bool { isSet("content-available") }
    /// Whether the payload says `mutable-content`.
    var isMutable: Bool { isSet("mutable-content") }

    private func isSet(_ key: String) -> Bool {
        guard case .dictionary(let aps)? = content.userInfo["aps"] else { return false }
        return aps[key] == .integer(1) || aps[key] == .bool(true) || aps[key] == .number(1)
    }
}
