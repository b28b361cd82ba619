internal import APNs
internal import PushStore
internal import Recurrence

/// Records and scheduled messages as LeanCloud's clients read them.
enum RecordView {
    /// A `_Notification`.
    static func object(_ record: PushRecord) -> [String: JSONValue] {
        var object: [String: JSONValue] = [
            "objectId": .string(record.objectID),
            "notificationId": .string(record.notificationID ?? record.objectID),
            "createdAt": .string(record.createdAt.iso8601),
            "updatedAt": .string(record.updatedAt.iso8601),
            "status": .string(record.status),
            "devices": .integer(Int64(record.deviceCount)),
            "successes": .integer(Int64(record.successCount)),
            "invalidTokens": .integer(Int64(record.invalidTokenCount)),
            "pending": .integer(Int64(record.pendingCount)),
            "receipts": .integer(Int64(record.receiptCount)),
            "opens": .integer(Int64(record.openCount)),
            "from-service": "push",
        ]
        if let first = record.pushes.first {
            object["msg"] = .object(first.request.data)
            object["where"] = query(first.request)
            object["prod"] = .string(environment(first.request))
            object["push-time"] = .string(first.dueAt.iso8601)
        }
        if let errors = record.errors { object["errors"] = .string(errors) }
        var reasons: [String: JSONValue] = [:]
        for (outcome, count) in record.outcomes where outcome.isDevice && outcome != .accepted && count > 0 {
            reasons[outcome.name] = .integer(Int64(count))
        }
        object["reasons"] = .object(reasons)
        var timings: [String: JSONValue] = [:]
        for (name, timing) in [("queueing", record.queueing), ("answering", record.answering)] {
            guard let timing else { continue }
            timings[name] = ["p50": .integer(timing.median), "p99": .integer(timing.percentile99)]
        }
        object["timings"] = .object(timings)
        object["pushes"] = .array(
            record.pushes.map { push in
                var members: [String: JSONValue] = [
                    "pushId": .string(push.objectID), "state": .string(push.state.rawValue),
                    "createdAt": .string(push.createdAt.iso8601),
                ]
                members["endedAt"] = push.endedAt.map { .string($0.iso8601) }
                return .object(members)
            })
        return object
    }

    /// A message whose time has not come.
    static func scheduled(_ push: Push, appID: String) -> [String: JSONValue] {
        var message: [String: JSONValue] = [
            "id": .string(push.recordID),
            "notificationId": .string(push.request.notificationID ?? push.recordID),
            "app-id": .string(appID), "where": ["query": query(push.request)],
            "prod": .string(environment(push.request)), "api-version": "1.1",
            "msg": .object(push.request.data),
        ]
        message["schedule"] = push.request.schedule?.json
        return [
            "id": .integer(push.number), "expire_time": .integer(push.dueAt.millisecondsSince1970),
            "createdAt": .string(push.createdAt.iso8601), "push_msg": .object(message),
        ]
    }

    /// The condition as one `where`, channels included.
    private static func query(_ request: PushRequest) -> JSONValue {
        let filter = request.filter?.json ?? [:]
        guard let channels = request.channels else { return filter }
        let inChannels: JSONValue = ["channels": ["$in": .array(channels.map(JSONValue.string))]]
        return filter == [:] ? inChannels : ["$and": [filter, inChannels]]
    }

    private static func environment(_ request: PushRequest) -> String {
        (request.environment ?? request.fallbackEnvironment) == .production ? "prod" : "dev"
    }
}
