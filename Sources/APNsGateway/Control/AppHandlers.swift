internal import APNs
internal import Transport

/// The control API's requests about the apps of a phone.
struct AppHandlers: Sendable {
    let hub: DeviceHub

    private static let instanceByteCountMax = 200

    /// What an app registers for, from the fields that adding a device and registering have in common.
    static func registration(_ fields: ControlFields) throws(GatewayError) -> RegistrationRequest {
        guard let topic = try fields.topic() else {
            throw fields.missing(
                "topic", allowed: "a bundle identifier, with its suffix for other tokens than the app's")
        }
        let family = try fields.string("family").map { text throws(GatewayError) in
            guard let family = TokenFamily(rawValue: text) else {
                throw fields.error(
                    "family", "\"\(text.prefix(40))\"",
                    allowed: TokenFamily.allCases.map(\.rawValue).joined(separator: ", "))
            }
            return family
        }
        let byteCounts = Int64(DeviceRegistry.tokenByteCounts.lowerBound)...Int64(DeviceToken.byteCountMax)
        return RegistrationRequest(
            topic: topic, environment: try fields.environment() ?? .production, family: family,
            instance: try fields.string("instance", countMax: instanceByteCountMax) ?? "",
            expiresAtMilliseconds: try fields.integer("expires_at_ms", in: 0...Int64.max - 1),
            tokenByteCount: try fields.integer("token_bytes", in: byteCounts).map(Int.init))
    }

    func register(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let fields = try request.fields(
            "topic", "environment", "family", "instance", "expires_at_ms", "token_bytes")
        let registration = try Self.registration(fields)
        let issued = try hub.withRegistries { registries, random, now throws(GatewayError) in
            try registries.devices.register(id, registration, at: now, using: &random)
        }
        return HTTPResponse(
            json: ["token": .string(issued.token.hexString), "new": .bool(issued.isNew)],
            status: issued.isNew ? 201 : 200)
    }

    func unregister(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let token = try ControlFields.token(request.parameters["token"], field: "token")
        try hub.withRegistries { registries, _, now throws(GatewayError) in
            try registries.devices.unregister(id, token, at: now)
        }
        return HTTPResponse(status: 204)
    }

    func reinstall(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let app = try request.fields("topic", "environment").app()
        let rows = try hub.withRegistries { registries, random, now throws(GatewayError) in
            let issued = try registries.devices.reinstall(id, app: app, at: now, using: &random)
            let tokens = Set(issued.map(\.token))
            return try registries.devices.snapshot(of: id).tokens.filter { tokens.contains($0.token) }
        }
        return HTTPResponse(json: ["registrations": .array(rows.map { $0.json(channels: []) })])
    }

    func restore(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let name = try request.fields("name").string("name", countMax: 200)
        let snapshot = try hub.withRegistries { registries, random, now throws(GatewayError) in
            let old = try registries.devices.snapshot(of: id)
            let new = try registries.devices.restore(
                id, toDeviceNamed: name ?? old.device.name, at: now, using: &random)
            return try registries.devices.snapshot(of: new)
        }
        return HTTPResponse(json: snapshot.json { _ in [] }, status: 201)
    }

    func launch(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let app = try request.fields("topic", "environment").app()
        try hub.withRegistries { registries, _, now throws(GatewayError) in
            try registries.devices.launch(id, app: app, at: now)
        }
        return HTTPResponse(status: 204)
    }

    func quit(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let app = try request.fields("topic", "environment").app()
        try hub.withRegistries { registries, _, now throws(GatewayError) in
            try registries.devices.forceQuit(id, app: app, at: now)
        }
        return HTTPResponse(status: 204)
    }

    func subscribe(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let (token, channel) = try Self.subscription(request.fields("token", "channel"))
        try hub.withRegistries { registries, _, _ throws(GatewayError) in
            try registries.subscribe(id, token, to: channel)
        }
        return HTTPResponse(status: 204)
    }

    func unsubscribe(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let (token, channel) = try Self.subscription(request.query("token", "channel"))
        try hub.withRegistries { registries, _, _ throws(GatewayError) in
            _ = try registries.devices.liveRegistration(id, token)
            guard registries.channels.unsubscribe(token, from: channel) else {
                throw GatewayError(
                    code: .channelNotFound, message: "token \(token) does not follow channel \(channel)",
                    field: "channel")
            }
        }
        return HTTPResponse(status: 204)
    }

    private static func subscription(
        _ fields: ControlFields
    ) throws(GatewayError) -> (DeviceToken, ChannelID) {
        guard let token = try fields.token() else {
            throw fields.missing("token", allowed: "a token of the device")
        }
        guard let text = try fields.string("channel") else {
            throw fields.missing("channel", allowed: "a channel id")
        }
        do {
            return (token, try ChannelID(text))
        } catch {
            throw GatewayError(code: .invalidField, message: "channel: \(error.message)", field: "channel")
        }
    }
}
