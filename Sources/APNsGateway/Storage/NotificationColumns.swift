internal import APNs
internal import SQLite

/// The columns of a notification in the tables that hold one.
enum NotificationColumns {
    static let names =
        "apns_id, unique_id, token, topic, push_type, priority, expiration, collapse_id, payload, received_at, "
        + "notification_environment"
    static let count = 11

    static func values(_ notification: DeliverableNotification) -> [Value] {
        [
            .blob(bytes(notification.id)), .blob(bytes(notification.uniqueID)),
            .blob(notification.token.bytes),
            .text(notification.topic.rawValue), Value(notification.pushType?.rawValue),
            Value(notification.priority.rawValue), expiration(notification.expiration),
            Value(notification.collapseID?.rawValue), .blob(notification.payload),
            .integer(notification.receivedAtMilliseconds), .text(notification.environment.rawValue),
        ]
    }

    /// Reads a notification from the columns that start at an offset.
    static func read(_ row: borrowing Row, from column: Int) throws(SQLiteError) -> DeliverableNotification {
        DeliverableNotification(
            id: try id(row, column), uniqueID: try id(row, column + 1), token: try token(row, column + 2),
            topic: try topic(row, column + 3), pushType: try pushType(row, column + 4),
            priority: try priority(row, column + 5),
            expiration: expiration(try row.optionalInteger(column + 6)),
            collapseID: try collapseID(row, column + 7), payload: try row.bytes(column + 8),
            receivedAtMilliseconds: try row.integer(column + 9),
            environment: try environment(row, column + 10))
    }

    // MARK: Single values

    static func bytes(_ id: NotificationID) -> [UInt8] {
        [id.high, id.low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    static func expiration(_ expiration: Expiration) -> Value {
        switch expiration {
        case .unspecified: .null
        case .never: 0
        case .at(let seconds): .integer(seconds)
        }
    }

    static func expiration(_ value: Int64?) -> Expiration {
        switch value {
        case nil: .unspecified
        case 0: .never
        case let seconds?: .at(secondsSince1970: seconds)
        }
    }

    static func id(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> NotificationID {
        let bytes = try row.bytes(column)
        guard bytes.count == 16 else { throw unreadable("an id of \(bytes.count) bytes") }
        let words = stride(from: 0, to: 16, by: 8).map { start in
            bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return NotificationID(high: words[0], low: words[1])
    }

    static func token(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> DeviceToken {
        let bytes = try row.bytes(column)
        guard let token = try? DeviceToken(bytes: bytes) else {
            throw unreadable("a token of \(bytes.count) bytes")
        }
        return token
    }

    static func topic(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> Topic {
        guard let topic = try? Topic(try row.string(column)) else { throw unreadable("an invalid topic") }
        return topic
    }

    static func environment(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> Environment {
        guard let environment = Environment(rawValue: try row.string(column)) else {
            throw unreadable("an unknown environment")
        }
        return environment
    }

    static func priority(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> Priority {
        guard let priority = Priority(rawValue: Int(try row.integer(column))) else {
            throw unreadable("an unknown priority")
        }
        return priority
    }

    static func device(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> DeviceID {
        DeviceID(rawValue: UInt64(bitPattern: try row.integer(column)))
    }

    private static func pushType(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> PushType? {
        guard let text = try row.optionalString(column) else { return nil }
        guard let pushType = PushType(rawValue: text) else { throw unreadable("an unknown push type") }
        return pushType
    }

    private static func collapseID(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> CollapseID? {
        guard let text = try row.optionalString(column) else { return nil }
        guard let collapseID = try? CollapseID(text) else { throw unreadable("an invalid collapse id") }
        return collapseID
    }

    static func unreadable(_ found: String) -> SQLiteError {
        SQLiteError(code: .corrupt, message: "a row holds \(found)")
    }
}

extension DeviceID {
    /// The id as SQLite keeps it.
    var value: Value { .integer(Int64(bitPattern: rawValue)) }
}
