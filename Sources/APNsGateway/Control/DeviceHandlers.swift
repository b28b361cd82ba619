internal import APNs
internal import Transport

/// The control API's requests about phones.
struct DeviceHandlers: Sendable {
    let hub: DeviceHub

    private static let nameByteCountMax = 200
    private static let listCountMax: Int64 = 10_000
    private static let addCountMax: Int64 = 100_000
    private static let addSliceCount = 500
    private static let listCountDefault: Int64 = 1_000

    func add(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let fields = try request.fields(
            "topic", "environment", "name", "family", "instance", "expires_at_ms", "token_bytes", "count")
        let registration = try AppHandlers.registration(fields)
        let name = try fields.string("name", countMax: Self.nameByteCountMax) ?? "device"
        if let count = try fields.integer("count", in: 1...Self.addCountMax) {
            return try add(Int(count), registration, name: name)
        }
        let (id, token) = try hub.withRegistries { registries, random, now throws(GatewayError) in
            try Self.add(registration, name: name, to: &registries, at: now, using: &random)
        }
        var members = try members(id)
        members["token"] = .string(token.hexString)
        return HTTPResponse(json: .object(members), status: 201)
    }

    /// Adds many phones at once, for tests at size; each is added whole, and the first refusal ends it.
    private func add(
        _ count: Int, _ registration: RegistrationRequest, name: String
    ) throws(GatewayError) -> HTTPResponse {
        var added: [JSONValue] = []
        added.reserveCapacity(count)
        // In slices, so that providers are answered meanwhile.
        while added.count < count {
            let slice = min(count - added.count, Self.addSliceCount)
            added += try hub.withRegistries { registries, random, now throws(GatewayError) in
                var slots: [JSONValue] = []
                for _ in 0..<slice {
                    let (id, token) = try Self.add(
                        registration, name: name, to: &registries, at: now, using: &random)
                    slots.append(
                        .object([
                            "id": .string(id.description), "token": .string(token.hexString),
                        ]))
                }
                return slots
            }
        }
        return HTTPResponse(json: .object(["devices": .array(added)]), status: 201)
    }

    private static func add(
        _ registration: RegistrationRequest, name: String, to registries: inout Registries, at now: Int64,
        using random: inout GatewayRandom
    ) throws(GatewayError) -> (id: DeviceID, token: DeviceToken) {
        let id = try registries.devices.addDevice(name: name, at: now, using: &random)
        do throws(GatewayError) {
            let issued = try registries.devices.register(id, registration, at: now, using: &random)
            return (id, issued.token)
        } catch {
            try registries.devices.forget(id, at: now)
            throw error
        }
    }

    func list(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let query = try request.query("topic", "environment", "online", "limit", "after")
        let app = try query.app()
        let isOnline = try query.boolean("online")
        let limit = Int(try query.integer("limit", in: 1...Self.listCountMax) ?? Self.listCountDefault)
        let after = try query.string("after").map { text throws(GatewayError) in
            guard let id = DeviceID(text) else {
                throw query.error("after", "\"\(text.prefix(40))\"", allowed: "a device id")
            }
            return id
        }
        let ids = hub.read { $0.devices.deviceIDs }
            .filter { id in after.map { id.rawValue > $0.rawValue } ?? true }
            .sorted { $0.rawValue < $1.rawValue }
        var found: [JSONValue] = []
        var next: DeviceID?
        for (index, id) in ids.enumerated() {
            // A device may be gone by now.
            guard let (snapshot, json) = try? snapshot(id) else { continue }
            guard isOnline == nil || snapshot.device.isOnline == isOnline else { continue }
            if let app, !snapshot.apps.contains(where: { app.matches($0) }) { continue }
            found.append(json)
            if found.count == limit {
                next = index + 1 < ids.count ? id : nil
                break
            }
        }
        var members: [String: JSONValue] = ["devices": .array(found)]
        members["next"] = next.map { .string($0.description) }
        return HTTPResponse(json: .object(members))
    }

    func show(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        _ = try request.query()
        return HTTPResponse(json: .object(try members(try request.device())))
    }

    func change(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let fields = try request.fields("online", "power_saving", "enabled", "name", "topic", "environment")
        let isOnline = try fields.boolean("online")
        let isPowerSaving = try fields.boolean("power_saving")
        let isEnabled = try fields.boolean("enabled")
        let name = try fields.string("name", countMax: Self.nameByteCountMax)
        let app = try fields.app()
        if app != nil, isEnabled == nil {
            throw fields.missing(
                "enabled", allowed: "true or false beside topic, which names the app it is for")
        }
        try hub.withRegistries { registries, _, now throws(GatewayError) in
            // What can fail comes first.
            if let isEnabled { try registries.devices.setEnabled(id, app: app, isEnabled) }
            if let name { try registries.devices.rename(id, name) }
            if let isPowerSaving { try registries.devices.setPowerSaving(id, isPowerSaving, at: now) }
            if let isOnline { try registries.devices.setOnline(id, isOnline, at: now) }
            registries.deliverStoredBroadcasts(to: id, at: now)
        }
        return HTTPResponse(json: .object(try members(id)))
    }

    func uninstall(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let query = try request.query("topic", "environment", "forget")
        let app = try query.app()
        guard try query.boolean("forget") == true else {
            try hub.withRegistries { registries, _, now throws(GatewayError) in
                try registries.devices.uninstall(id, app: app, at: now)
            }
            return HTTPResponse(json: .object(try members(id)))
        }
        guard app == nil else {
            throw query.error("topic", "a topic beside forget", allowed: "one of the two")
        }
        try hub.withRegistries { registries, _, now throws(GatewayError) in
            try registries.forget(id, at: now)
        }
        for stream in hub.streams(of: id) { stream.close() }
        return HTTPResponse(status: 204)
    }

    private func snapshot(_ id: DeviceID) throws(GatewayError) -> (DeviceSnapshot, JSONValue) {
        try hub.read { registries throws(GatewayError) in
            let snapshot = try registries.devices.snapshot(of: id)
            let channels = registries.channels
            return (snapshot, snapshot.json { channels.subscriptions(of: $0) })
        }
    }

    private func members(_ id: DeviceID) throws(GatewayError) -> [String: JSONValue] {
        guard case .object(let members) = try snapshot(id).1 else { return [:] }
        return members
    }
}

extension AppSelector {
    fileprivate func matches(_ app: RegistryContents.AppRow) -> Bool {
        app.bundleID == bundleID && (environment == nil || app.environment == environment)
    }
}
