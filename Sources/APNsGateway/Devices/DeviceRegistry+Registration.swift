package import APNs

/// What an app asks for when it registers for remote notifications.
package struct RegistrationRequest: Hashable, Sendable {
    /// The topic pushes for the token must have.
    package var topic: Topic
    /// The service the token is for; on a phone the entitlement `aps-environment` decides.
    package var environment: Environment
    /// Which of the app's tokens.
    package var family: TokenFamily
    /// Tells tokens of one family apart: a Live Activity, a control; else empty.
    package var instance: String
    /// When the token runs out by itself, in milliseconds since 1970.
    package var expiresAtMilliseconds: Int64?
    /// The size of a new token in bytes; nil for the policy's.
    package var tokenByteCount: Int?

    /// Asks for a token; the family follows from the topic's suffix unless it is given.
    package init(
        topic: Topic, environment: Environment, family: TokenFamily? = nil, instance: String = "",
        expiresAtMilliseconds: Int64? = nil, tokenByteCount: Int? = nil
    ) {
        self.topic = topic
        self.environment = environment
        self.family = family ?? TokenFamily(topic: topic)
        self.instance = instance
        self.expiresAtMilliseconds = expiresAtMilliseconds
        self.tokenByteCount = tokenByteCount
    }
}

/// The token an app got.
package struct IssuedToken: Hashable, Sendable {
    /// The token.
    package var token: DeviceToken
    /// Whether it differs from the one the app had.
    package var isNew: Bool
}

extension DeviceRegistry {
    /// Adds a phone that is online and has no apps.
    ///
    /// - Throws: `limitReached` when there are too many devices.
    package mutating func addDevice(
        name: String, at now: Int64, using generator: inout some RandomNumberGenerator
    ) throws(GatewayError) -> DeviceID {
        guard deviceSlots.count < policy.deviceCountMax else {
            throw GatewayError(
                code: .limitReached,
                message: "the gateway has \(policy.deviceCountMax) devices, the most allowed")
        }
        var id = DeviceID(rawValue: generator.next())
        while deviceSlots[id] != nil { id = DeviceID(rawValue: generator.next()) }
        insert(Device(id: id, name: name, createdAtMilliseconds: now))
        return id
    }

    /// An app registers: it gets its token, usually the one it had.
    ///
    /// Registering installs an app that is not on the phone. A token that had run out or was thought dead is good
    /// again when the app still has it.
    ///
    /// Apple: Registering your app with APNs.
    ///
    /// - Throws: `deviceOffline`, `limitReached`, `invalidField` for a topic that does not fit the family.
    package mutating func register(
        _ id: DeviceID, _ request: RegistrationRequest, at now: Int64,
        using generator: inout some RandomNumberGenerator
    ) throws(GatewayError) -> IssuedToken {
        let device = try deviceSlot(id)
        try check(request)
        guard devices[device].isOnline else {
            throw GatewayError(
                code: .deviceOffline,
                message: "device \(id) is offline: an app gets no token without a connection")
        }
        let app = try install(request, device: device)
        if let slot = keptRegistration(request, device: device, app: app) {
            registrations[slot].state = .live
            registrations[slot].isReturnable = false
            registrations[slot].probeUntilMilliseconds = 0
            registrations[slot].expiresAtMilliseconds = request.expiresAtMilliseconds ?? .max
            registrations[slot].registeredAtMilliseconds = now
            markDirty(registration: slot)
            return IssuedToken(token: registrations[slot].token, isNew: false)
        }
        let token = try issue(request, device: device, app: app, at: now, using: &generator)
        return IssuedToken(token: token, isNew: true)
    }

    /// The person deletes apps from the phone: their tokens lead nowhere, and APNs does not know it yet.
    package mutating func uninstall(_ id: DeviceID, app: AppSelector?, at now: Int64) throws(GatewayError) {
        let device = try deviceSlot(id)
        for app in try appIndices(device, app) { uninstall(device, app: app, at: now) }
    }

    /// The person deletes apps and installs them again: they register and get other tokens.
    ///
    /// - Returns: The new tokens by registration.
    /// - Throws: `deviceOffline`; `appNotFound`.
    package mutating func reinstall(
        _ id: DeviceID, app: AppSelector?, at now: Int64, using generator: inout some RandomNumberGenerator
    ) throws(GatewayError) -> [IssuedToken] {
        let device = try deviceSlot(id)
        let apps = try appIndices(device, app)
        guard devices[device].isOnline else {
            throw GatewayError(
                code: .deviceOffline, message: "device \(id) is offline: it cannot install an app")
        }
        var issued: [IssuedToken] = []
        for app in apps {
            uninstall(device, app: app, at: now)
            for request in reinstallRequests(device, app: app) {
                issued.append(try register(id, request, at: now, using: &generator))
            }
        }
        return issued
    }

    /// A backup of the phone is restored on a new one: same apps, other tokens.
    ///
    /// The old phone is erased.
    ///
    /// Apple: Registering your app with APNs.
    package mutating func restore(
        _ id: DeviceID, toDeviceNamed name: String, at now: Int64,
        using generator: inout some RandomNumberGenerator
    ) throws(GatewayError) -> DeviceID {
        let old = try deviceSlot(id)
        let new = try addDevice(name: name, at: now, using: &generator)
        for app in devices[old].apps.indices where devices[old].apps[app].isInstalled {
            for request in reinstallRequests(old, app: app) {
                _ = try register(new, request, at: now, using: &generator)
            }
            uninstall(old, app: app, at: now)
        }
        return new
    }

    /// One token is given up: `unregisterForRemoteNotifications`, or the end of a Live Activity.
    ///
    /// Tokens of Live Activities run out at once; others die as after a deletion.
    package mutating func unregister(_ id: DeviceID, _ token: DeviceToken, at now: Int64) throws(GatewayError)
    {
        let device = try deviceSlot(id)
        guard let slot = tokens[token].map(Int.init), registrations[slot].device == Int32(device) else {
            throw GatewayError(code: .tokenNotFound, message: "device \(id) does not have token \(token)")
        }
        switch registrations[slot].family {
        case .liveactivity, .liveactivityStart, .pushtotalk:
            registrations[slot].expiresAtMilliseconds = min(now, registrations[slot].expiresAtMilliseconds)
            markDirty(registration: slot)
        default:
            guard registrations[slot].isLive else { return }
            orphan(slot, at: now)
            registrations[slot].isReturnable = true
        }
    }

    /// Removes a device with all its tokens, which nobody knows afterwards.
    package mutating func forget(_ id: DeviceID, at now: Int64) throws(GatewayError) {
        let device = try deviceSlot(id)
        for app in devices[device].apps.indices {
            dropStored(device, app: app, .deviceForgotten, at: now)
            dropHeld(device, app: app, .deviceForgotten, at: now)
            for slot in devices[device].apps[app].registrations { vacate(Int(slot)) }
        }
        deadlines.set(nil, device: device)
        deviceSlots[id] = nil
        vacantDevices.append(Int32(device))
        devices[device] = Device(id: id, name: "", createdAtMilliseconds: 0)
        if collectsChanges { deletedDevices.append(id) }
    }

    // MARK: Steps

    private func check(_ request: RegistrationRequest) throws(GatewayError) {
        guard request.family.fits(request.topic) else {
            throw GatewayError(
                code: .invalidField,
                message: "found topic \(request.topic) for a token of the family \(request.family.rawValue), "
                    + "allowed: \(request.topic.bundleID)\(request.family.pushType.topicSuffix)",
                field: "topic")
        }
        let count = request.tokenByteCount ?? policy.tokenByteCount
        guard DeviceRegistry.tokenByteCounts.contains(count) else {
            throw GatewayError(
                code: .invalidField, message: "found \(count) bytes for a token, allowed: 8 to 100",
                field: "token_bytes")
        }
    }

    private mutating func install(_ request: RegistrationRequest, device: Int) throws(GatewayError) -> Int {
        let bundleID = request.topic.bundleID
        if let app = devices[device].appIndex(bundleID: bundleID, environment: request.environment) {
            if !devices[device].apps[app].isInstalled {
                devices[device].apps[app].isInstalled = true
                devices[device].apps[app].isEnabled = true
                markDirty(app: app, of: device)
            }
            return app
        }
        guard devices[device].apps.count < policy.appsPerDeviceMax else {
            throw GatewayError(
                code: .limitReached, message: "a device has at most \(policy.appsPerDeviceMax) apps")
        }
        devices[device].apps.append(InstalledApp(bundleID: bundleID, environment: request.environment))
        markDirty(app: devices[device].apps.count - 1, of: device)
        return devices[device].apps.count - 1
    }

    /// The registration whose token the app has, or gave up without leaving the phone.
    private func keptRegistration(_ request: RegistrationRequest, device: Int, app: Int) -> Int? {
        devices[device].apps[app].registrations.map(Int.init).first { slot in
            (registrations[slot].isLive || registrations[slot].isReturnable)
                && registrations[slot].family == request.family
                && registrations[slot].instance == request.instance
        }
    }

    /// What an app registers for after it was installed anew: the families it had last.
    private func reinstallRequests(_ device: Int, app: Int) -> [RegistrationRequest] {
        var requests: [RegistrationRequest] = []
        for slot in devices[device].apps[app].registrations.map(Int.init) {
            let registration = registrations[slot]
            let request = RegistrationRequest(
                topic: registration.topic, environment: registration.environment, family: registration.family,
                instance: registration.instance, tokenByteCount: registration.token.byteCount)
            let isKnown = requests.contains {
                $0.family == request.family && $0.instance == request.instance
            }
            if registration.family.outlivesReinstall, !isKnown { requests.append(request) }
        }
        return requests
    }

    private mutating func uninstall(_ device: Int, app: Int, at now: Int64) {
        guard devices[device].apps[app].isInstalled else { return }
        devices[device].apps[app].isInstalled = false
        markDirty(app: app, of: device)
        dropHeld(device, app: app, .appDeleted, at: now)
        for slot in devices[device].apps[app].registrations.map(Int.init) {
            if registrations[slot].isReturnable {
                registrations[slot].isReturnable = false
                markDirty(registration: slot)
            }
            orphan(slot, at: now)
        }
    }

    private mutating func orphan(_ slot: Int, at now: Int64) {
        guard registrations[slot].isLive else { return }
        let device = Int(registrations[slot].device)
        let app = Int(registrations[slot].app)
        // What is stored still goes to the phone, where it finds nobody.
        if let stored = devices[device].apps[app].stored,
            stored.notification.token == registrations[slot].token
        {
            registrations[slot].probeUntilMilliseconds = stored.untilMilliseconds
            dropStored(device, app: app, .appDeleted, at: now)
        }
        registrations[slot].state =
            policy.noticesRemovalOnPush
            ? .orphaned(sinceMilliseconds: now) : .dead(sinceMilliseconds: now)
        markDirty(registration: slot)
    }
}
