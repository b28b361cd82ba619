internal import APNs
internal import Transport

/// Writes a notification's header fields into one buffer that is used again and again.
///
/// Apple, Sending notification requests to APNs: the table of header fields.
struct RequestWriter {
    /// What a request's fields depend on beside the token: usually the same for a whole batch.
    private struct Shape: Equatable {
        var authorization: [UInt8]
        var topic: Topic
        var pushType: PushType?
        var priority: Priority?
        var expiration: Expiration
    }

    private let authority: [UInt8]
    private var fields = HTTP2Fields()
    /// What `fields` was written for; nil when it has values that are one notification's own.
    private var shape: Shape?

    private static let pathIndex = 3

    init(authority: String) {
        self.authority = Array(authority.utf8)
    }

    /// The fields of one request; the authorization is empty with a certificate.
    mutating func write(
        _ notification: borrowing Notification, authorization: [UInt8],
        then body: (borrowing HTTP2Fields) -> Void
    ) {
        let token = notification.token
        if notification.collapseID == nil, notification.id == nil, let shape,
            shape.topic == notification.topic, shape.authorization == authorization,
            shape.pushType == notification.pushType, shape.priority == notification.priority,
            shape.expiration == notification.expiration
        {
            fields.rewriteValue(at: Self.pathIndex) { Self.appendPath(token, to: &$0) }
        } else {
            writeAll(notification, authorization: authorization)
        }
        body(fields)
    }

    private mutating func writeAll(_ notification: borrowing Notification, authorization: [UInt8]) {
        fields.removeAll()
        fields.append(name: ":method", value: "POST")
        fields.append(name: ":scheme", value: "https")
        fields.append(name: ":authority", value: authority)
        if !authorization.isEmpty { fields.append(name: "authorization", value: authorization) }
        append("apns-topic", notification.topic.rawValue)
        if let pushType = notification.pushType {
            fields.append(name: "apns-push-type", value: pushType.headerValue)
        }
        if let priority = notification.priority {
            fields.append(name: "apns-priority", value: priority.headerValue)
        }
        if let expiration = notification.expiration.headerValue {
            if expiration == 0 {
                fields.append(name: "apns-expiration", value: "0")
            } else {
                fields.append(name: "apns-expiration") { appendDecimal(expiration, to: &$0) }
            }
        }
        if let collapseID = notification.collapseID {
            append("apns-collapse-id", collapseID.rawValue)
        }
        if let id = notification.id {
            fields.append(name: "apns-id") { id.append(to: &$0) }
        }
        // Written last and moved to its place, so that the next token can take this one's.
        let token = notification.token
        fields.append(name: ":path") { Self.appendPath(token, to: &$0) }
        fields.moveLast(to: Self.pathIndex)
        shape =
            notification.collapseID == nil && notification.id == nil
            ? Shape(
                authorization: authorization, topic: notification.topic, pushType: notification.pushType,
                priority: notification.priority, expiration: notification.expiration) : nil
    }

    private static func appendPath(_ token: DeviceToken, to value: inout [UInt8]) {
        let prefix: StaticString = "/3/device/"
        value.append(
            contentsOf: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        token.appendHex(to: &value)
    }

    private mutating func append(_ name: StaticString, _ text: String) {
        var text = text
        text.withUTF8 { fields.append(name: name, value: UnsafeRawBufferPointer($0)) }
    }
}

private func appendDecimal(_ number: Int64, to output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
        var rest = number.magnitude
        var start = digits.count
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        if number < 0 { output.append(UInt8(ascii: "-")) }
        output.append(contentsOf: digits[start...])
    }
}
