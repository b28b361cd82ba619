internal import APNs
internal import Foundation
internal import UserNotifications
internal import Synchronization

extension VirtualPhone {
    /// Links the phone to APNs, or to a gateway; without a link apps get made-up device tokens.
    ///
    /// Link a phone before its apps register.
    ///
    /// - Throws: `link` when the other side cannot be reached; `state` when the phone has a link.
    public func connect(_ link: any PushLink) async throws(PhoneError) {
        let isOnline = try contents.withLock { contents throws(PhoneError) in
            guard contents.link == nil else { throw PhoneError(.state, "the phone has a link") }
            contents.link = link
            return !contents.isAirplane
        }
        guard isOnline else { return }
        try await linkLock.run { () async throws(PhoneError) in
            try await link.connect { [weak self] in self?.deliver($0) }
        }
        change { $0.log(.online) }
    }

    /// Ends the link: the phone is away for ever.
    public func disconnect() async {
        await disconnectLink()
        contents.withLock { $0.link = nil }
    }

    func connectLink() async {
        guard let link = contents.withLock({ $0.link }) else { return }
        await linkLock.run {
            do throws(PhoneError) {
                try await link.connect { [weak self] in self?.deliver($0) }
            } catch {
                change { $0.log(.diagnosis, "the link cannot be opened: \(error.message)") }
            }
        }
    }

    func disconnectLink() async {
        guard let link = contents.withLock({ $0.link }) else { return }
        await linkLock.run { await link.disconnect() }
    }

    /// Tells the other side what happened; a phone without a connection tells nothing.
    func tell(_ news: PushLinkNews) async {
        let link = contents.withLock { $0.isAirplane ? nil : $0.link }
        guard let link else { return }
        await linkLock.run {
            do throws(PhoneError) {
                try await link.tell(news)
            } catch {
                change { $0.log(.diagnosis, "the link: \(error.message)") }
            }
        }
    }

    // MARK: Registration

    func register(_ app: String) {
        let (slot, link) = contents.withLock { ($0.slots[app], $0.link) }
        guard let slot else { return }
        guard let link else {
            // With nobody to ask the answer has its place in the queue: the same story, the same journal.
            change { contents in
                contents.registered(
                    app, contents.reachability(of: slot.manifest).flatMap { _ in contents.ownToken(app) })
            }
            return
        }
        begin {
            let result = await self.token(for: slot.manifest, from: link)
            self.change { $0.registered(app, result) }
            if case .success = result, AppSettings(slot.host.state?.settings ?? .init()).status == .denied {
                await self.tell(.enabled(app, false))
            }
        }
    }

    private func token(
        for manifest: AppManifest, from link: any PushLink
    ) async -> Result<DeviceToken, RegistrationError> {
        switch contents.withLock({ $0.reachability(of: manifest) }) {
        case .failure(let error): return .failure(error)
        case .success(let environment):
            do throws(PhoneError) {
                return .success(
                    try await linkLock.run { () async throws(PhoneError) in
                        try await link.register(manifest.bundleIdentifier, environment: environment)
                    })
            } catch {
                return .failure(RegistrationError(.service, error.message))
            }
        }
    }

    /// A token beside that of an app's notifications; nil when there is none, and the journal says why.
    func token(of app: String, _ family: String, _ instance: String) async -> DeviceToken? {
        let (environment, isAirplane, link) = contents.withLock {
            ($0.slots[app]?.manifest.apsEnvironment, $0.isAirplane, $0.link)
        }
        do throws(PhoneError) {
            guard let environment else {
                throw PhoneError(.state, "the app lacks the entitlement aps-environment")
            }
            guard !isAirplane else { throw PhoneError(.link, "the phone has no connection") }
            let token: DeviceToken?
            if let link {
                token = try await linkLock.run { () async throws(PhoneError) in
                    try await link.register(app, environment: environment, family: family, instance: instance)
                }
            } else {
                token = contents.withLock { contents in
                    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &contents.random) }
                    return try? DeviceToken(bytes: bytes)
                }
            }
            guard let token else { throw PhoneError(.link, "no token could be made") }
            change { $0.log(.registered, app: app, "\(family) \(token)") }
            return token
        } catch {
            change { $0.log(.registrationFailed, app: app, "\(family): \(error.message)") }
            return nil
        }
    }

    func unregister(_ app: String) {
        let token = change { contents -> DeviceToken? in
            guard contents.slots[app]?.isRegistered == true else { return nil }
            contents.slots[app]?.isRegistered = false
            contents.log(.unregistered, app: app)
            return contents.slots[app]?.token
        }
        if let token { begin { await self.tell(.unregistered(app, token)) } }
    }

    func isRegistered(_ app: String) -> Bool { contents.withLock { $0.slots[app]?.isRegistered ?? false } }

    // MARK: A new phone

    /// Restores a backup of the phone onto a new one, and erases the old.
    ///
    /// The new one has the same apps, what they kept and the user's decisions, and other device tokens.
    ///
    /// - Throws: `link` when the other side refuses.
    public func restore(toPhoneNamed name: String) async throws(PhoneError) -> VirtualPhone {
        await settle()
        let (contents, link) = self.contents.withLock { ($0, $0.link) }
        let phone = VirtualPhone(
            name: name, now: contents.now, zone: contents.zone, language: contents.language,
            isClockRunning: contents.clock.isRunning, permission: contents.permission, isLocked: true,
            policy: contents.policy, seed: contents.nextSeed)
        for app in contents.order {
            guard let slot = contents.slots[app] else { continue }
            var state = slot.host.state
            // Files of notifications stay behind, and so does what was delivered.
            state?.leaveDelivered()
            try phone.install(slot.manifest, slot.make, storage: slot.storage.copy(), state: state)
        }
        phone.change { $0.log(.restored, "from \(contents.name)") }
        if let link {
            let new = try await linkLock.run { () async throws(PhoneError) in
                try await link.restore(toPhoneNamed: name)
            }
            await disconnect()
            try await phone.connect(new)
        }
        for app in contents.order { try await uninstall(app) }
        await phone.settle()
        return phone
    }
}

extension PhoneContents {
    /// Calls an app that runs; one that does not is not called.
    mutating func call(_ app: String, _ callback: AppCallback) {
        guard let state = slots[app]?.lifecycle.state, state.isRunning else { return }
        steps.append(.call(app: app, callback, state.applicationState, work: nil))
    }

    /// What an app registers with, or why it cannot.
    fileprivate func reachability(of manifest: AppManifest) -> Result<Environment, RegistrationError> {
        guard let environment = manifest.apsEnvironment else {
            return .failure(
                RegistrationError(
                    .noEntitlement, "no valid 'aps-environment' entitlement string found for application"))
        }
        return isAirplane
            ? .failure(RegistrationError(.offline, "the phone has no connection")) : .success(environment)
    }

    /// The token of an app on a phone without a link: made once, at random.
    fileprivate mutating func ownToken(_ app: String) -> Result<DeviceToken, RegistrationError> {
        if let token = slots[app]?.token { return .success(token) }
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        guard let token = try? DeviceToken(bytes: bytes) else {
            return .failure(RegistrationError(.service, "no token could be made"))
        }
        return .success(token)
    }

    /// Tells an app what became of its registration.
    fileprivate mutating func registered(_ app: String, _ result: Result<DeviceToken, RegistrationError>) {
        switch result {
        case .success(let token):
            slots[app]?.token = token
            slots[app]?.isRegistered = true
            log(.registered, app: app, "\(token)")
            call(app, .didRegister(Data(token.bytes)))
        case .failure(let error):
            log(.registrationFailed, app: app, error.message)
            call(app, .didFailToRegister(error))
        }
    }

    /// A seed for what comes after this phone.
    var nextSeed: UInt64 {
        var random = random
        return random.next()
    }
}
