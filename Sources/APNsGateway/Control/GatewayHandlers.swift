internal import APNs
internal import Crypto
internal import Transport

/// The control API's requests about the gateway as a whole.
struct GatewayHandlers: Sendable {
    let parts: ControlAPI.Parts

    func channels(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let app = try request.query("topic", "environment").app()
        let channels = parts.hub.read { $0.channels.all }.filter { channel in
            guard let app else { return true }
            return channel.bundleID == app.bundleID
                && (app.environment == nil || app.environment == channel.environment)
        }
        return HTTPResponse(json: ["channels": .array(channels.map(\.json))])
    }

    func changeBroadcasts(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let fields = try request.fields("topic", "environment", "broadcasts")
        guard let app = try fields.app() else {
            throw fields.missing("topic", allowed: "a bundle identifier")
        }
        guard let isOn = try fields.boolean("broadcasts") else {
            throw fields.missing("broadcasts", allowed: "true or false")
        }
        parts.hub.withRegistries { registries, _, _ in
            for environment in app.environment.map({ [$0] }) ?? Environment.allCases {
                registries.channels.setBroadcastEnabled(
                    isOn, bundleID: app.bundleID, environment: environment)
            }
        }
        return HTTPResponse(status: 204)
    }

    func requests(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let query = try request.query("since", "token", "id", "status", "reason", "limit")
        let id = try query.string("id").map { text throws(GatewayError) in
            guard let id = NotificationID(text) else {
                throw query.error("id", "\"\(text.prefix(40))\"", allowed: "a UUID of 8-4-4-4-12 digits")
            }
            return id
        }
        let records = parts.journal.records(
            JournalQuery(
                since: try query.integer("since", in: 0...Int64.max).map(UInt64.init),
                token: try query.token(), id: id,
                status: try query.integer("status", in: 0...599).map(Int.init),
                reason: try query.string("reason").map(Reason.init),
                limit: Int(try query.integer("limit", in: 1...Int64(JournalQuery.limitMax)) ?? 100)))
        return HTTPResponse(
            json: [
                "newest_sequence": .integer(Int64(clamping: parts.journal.newestSequence)),
                "requests": .array(records.map(\.json)),
            ])
    }

    func addFault(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: request.request.body)
        } catch {
            throw GatewayError(code: .invalidField, message: "the body is not JSON: \(error.message)")
        }
        let rule = try FaultRule(json: value)
        try parts.faults.add(rule)
        return HTTPResponse(json: rule.json, status: 201)
    }

    func faults(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        HTTPResponse(json: ["faults": .array(parts.faults.rules.map(\.json))])
    }

    func removeFaults(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        parts.faults.removeAll()
        return HTTPResponse(status: 204)
    }

    func keys(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        HTTPResponse(json: ["keys": .array(parts.keyring.records.map(\.json))])
    }

    /// Adds a key; without a public one it makes a pair, whose private half is in this answer only.
    func addKey(_ request: HTTPRequest) throws(GatewayError) -> HTTPResponse {
        let fields = try ControlFields(json: request.body, allowed: ProviderKeyRecord.fields)
        let made: SigningKey?
        do {
            made = fields["public_key"] == nil ? try SigningKey.generate() : nil
        } catch {
            throw GatewayError(code: .identity, message: error.message)
        }
        let record = try ProviderKeyRecord(fields: fields, publicKey: made?.publicKey)
        try parts.keyring.add(record)
        guard let made, case .object(var members) = record.json else {
            return HTTPResponse(json: record.json, status: 201)
        }
        members["p8"] = .string(made.p8)
        return HTTPResponse(json: .object(members), status: 201)
    }

    func time(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        HTTPResponse(json: ["now_ms": .integer(parts.hub.clock.nowMilliseconds)])
    }

    func advance(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let fields = try request.fields("advance_ms")
        let range = 0...VirtualGatewayClock.stepMillisecondsMax
        guard let step = try fields.integer("advance_ms", in: range) else {
            throw fields.missing("advance_ms", allowed: "milliseconds to put the clock forward")
        }
        try parts.hub.clock.advance(byMilliseconds: step)
        parts.hub.advance()
        return HTTPResponse(json: ["now_ms": .integer(parts.hub.clock.nowMilliseconds)])
    }

    func health(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        guard let failure = parts.store?.failure else { return HTTPResponse(json: ["status": "ok"]) }
        return HTTPResponse(
            json: ["status": "degraded", "error": .string(failure.message)], status: 503)
    }

    func metrics(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let (devices, channelCount) = parts.hub.read { ($0.devices.statistics, $0.channels.channelCount) }
        var text = parts.journal.counters.metricsText
        text += Self.gauge("devices", "Simulated phones.", devices.deviceCount)
        text += Self.gauge("devices_online", "Phones that are online.", devices.onlineCount)
        text += Self.gauge("device_links", "Phones whose link is open.", devices.linkedCount)
        text += Self.gauge("device_tokens", "Device tokens, dead ones included.", devices.tokenCount)
        text += Self.gauge(
            "stored_notifications", "Notifications that wait for a phone.", devices.storedCount)
        text += Self.gauge("held_notifications", "Background pushes that phones hold.", devices.heldCount)
        text += Self.gauge("channels", "Broadcast channels.", channelCount)
        text += Self.gauge("faults", "Faults in force.", parts.faults.rules.count)
        if let store = parts.store {
            text += Self.gauge(
                "storage_failing", "1 while the state cannot be saved.", store.failure == nil ? 0 : 1)
        }
        text += parts.metricsText()
        return HTTPResponse(
            headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
            body: .bytes(Array(text.utf8)))
    }

    private static func gauge(_ name: String, _ help: String, _ value: Int) -> String {
        """
        # HELP apns_gateway_\(name) \(help)
        # TYPE apns_gateway_\(name) gauge
        apns_gateway_\(name) \(value)

        """
    }
}
