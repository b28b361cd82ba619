package import APNs

extension FaultRule {
    /// Reads a rule of the control API.
    ///
    /// One of `reason` (text, with an optional `status`), `goaway` (true or a reason, with an optional
    /// `error_code`), `reset` (true, a number or a name as REFUSED_STREAM), `silence` (true), `latency_ms`,
    /// `max_streams`, `drop` (true); beside it `rate` (0 to 1, default 1) and `count` (from 1, default no end).
    /// - Throws: `invalidField`.
    package init(json: JSONValue) throws(GatewayError) {
        guard case .object(let members) = json else {
            throw FaultRule.error("is a JSON object, not \(json.kind)")
        }
        let effects = FaultRule.effectKeys.filter { members[$0] != nil }
        guard effects.count == 1, let key = effects.first, let value = members[key] else {
            throw FaultRule.error(
                "has one of \(FaultRule.effectKeys.joined(separator: ", ")), not \(effects.count) of them")
        }
        let allowed = Set(["rate", "count", key] + (FaultRule.companions[key].map { [$0] } ?? []))
        if let unknown = members.keys.filter({ !allowed.contains($0) }).min() {
            throw FaultRule.error("with \(key) has no key \"\(unknown.prefix(40))\"", field: unknown)
        }
        self.init(
            try FaultRule.effect(key, value, members), rate: try FaultRule.rate(members["rate"]),
            count: try members["count"].map { value throws(GatewayError) in
                try FaultRule.integer(value, "count", in: 1...Int.max)
            })
    }

    /// The rule as the control API shows it.
    package var json: JSONValue {
        var members: [String: JSONValue] = ["rate": .number(rate)]
        if let count { members["count"] = .integer(Int64(count)) }
        switch effect {
        case .reason(let reason, let status):
            members["reason"] = .string(reason.text)
            if let status { members["status"] = .integer(Int64(status)) }
        case .goAway(let reason, let errorCode):
            members["goaway"] = .string(reason.text)
            members["error_code"] = .integer(Int64(errorCode))
        case .reset(let errorCode): members["reset"] = .integer(Int64(errorCode))
        case .silence: members["silence"] = true
        case .latency(let milliseconds): members["latency_ms"] = .integer(Int64(milliseconds))
        case .maxStreams(let streams): members["max_streams"] = .integer(Int64(streams))
        case .drop: members["drop"] = true
        }
        return .object(members)
    }

    private static let effectKeys = [
        "reason", "goaway", "reset", "silence", "latency_ms", "max_streams", "drop",
    ]

    /// The one further key that an effect takes.
    private static let companions = ["reason": "status", "goaway": "error_code"]

    /// RFC 9113, section 7, by number.
    static let errorCodeNames = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
        "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR",
        "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    private static let internalError: UInt32 = 2

    private static func effect(
        _ key: String, _ value: JSONValue, _ members: [String: JSONValue]
    ) throws(GatewayError) -> Effect {
        switch key {
        case "reason":
            guard case .string(let text) = value, !text.isEmpty, text.utf8.count <= 100 else {
                throw error("has as its reason a text of 1 to 100 bytes", field: key)
            }
            let reason = Reason(text)
            let status = try members["status"].map { value throws(GatewayError) in
                try integer(value, "status", in: 400...599)
            }
            guard status != nil || reason.status != nil else {
                throw error(
                    "with the undocumented reason \"\(text)\" needs a status from 400 to 599", field: "status"
                )
            }
            return .reason(reason, status: status)
        case "goaway":
            let code = try members["error_code"].map { value throws(GatewayError) in
                try errorCode(value, "error_code")
            }
            if case .string(let text) = value { return .goAway(Reason(text), errorCode: code ?? 0) }
            try expectTrue(value, key)
            return .goAway(.shutdown, errorCode: code ?? 0)
        case "reset":
            if case .bool(true) = value { return .reset(errorCode: internalError) }
            return .reset(errorCode: try errorCode(value, key))
        case "latency_ms":
            return .latency(milliseconds: try integer(value, key, in: 1...latencyMillisecondsMax))
        case "max_streams":
            return .maxStreams(try integer(value, key, in: 1...Int(Int32.max)))
        case "silence":
            try expectTrue(value, key)
            return .silence
        default:
            try expectTrue(value, key)
            return .drop
        }
    }

    private static func rate(_ value: JSONValue?) throws(GatewayError) -> Double {
        let rate: Double
        switch value {
        case nil: return 1
        case .integer(let integer): rate = Double(integer)
        case .number(let number): rate = number
        default: throw error("has as its rate a number from 0 to 1", field: "rate")
        }
        guard (0...1).contains(rate) else {
            throw error("has a rate from 0 to 1, not \(rate)", field: "rate")
        }
        return rate
    }

    private static func errorCode(_ value: JSONValue, _ key: String) throws(GatewayError) -> UInt32 {
        if case .string(let name) = value {
            guard let code = errorCodeNames.firstIndex(of: name) else {
                throw error(
                    "has as \(key) a name of RFC 9113 such as REFUSED_STREAM, or a number", field: key)
            }
            return UInt32(code)
        }
        return UInt32(try integer(value, key, in: 0...Int(UInt32.max)))
    }

    private static func integer(
        _ value: JSONValue, _ key: String, in range: ClosedRange<Int>
    ) throws(GatewayError) -> Int {
        guard case .integer(let integer) = value, let integer = Int(exactly: integer) else {
            throw error("has as \(key) a whole number, not \(value.kind)", field: key)
        }
        guard range.contains(integer) else {
            throw error(
                "has a \(key) from \(range.lowerBound) to \(range.upperBound), not \(integer)", field: key)
        }
        return integer
    }

    private static func expectTrue(_ value: JSONValue, _ key: String) throws(GatewayError) {
        guard case .bool(true) = value else { throw error("has \(key) only as true", field: key) }
    }

    private static func error(_ message: String, field: String? = nil) -> GatewayError {
        GatewayError(code: .invalidField, message: "a fault \(message)", field: field)
    }
}
