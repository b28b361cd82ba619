package import APNs

extension JournalRecord {
    /// The record as the control API shows it; what is not known is absent.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "sequence": .integer(Int64(clamping: sequence)),
            "time_ms": .integer(timeMilliseconds),
            "connection": .integer(Int64(clamping: connection)),
            "environment": .string(environment.rawValue),
            "operation": .string("\(operation)"),
            "apns_id": .string(id.text),
            "payload_bytes": .integer(Int64(payloadByteCount)),
            "status": .integer(Int64(status)),
            "decision": .string("\(decision)"),
            "explanation": .string(decision.text),
        ]
        members["token"] = token.map { .string($0.hexString) }
        members["topic"] = topic.map { .string($0.rawValue) }
        members["push_type"] = pushType.map { .string($0.rawValue) }
        members["priority"] = priority.map { .integer(Int64($0.rawValue)) }
        members["reason"] = reason.map { .string($0.text) }
        return .object(members)
    }
}
