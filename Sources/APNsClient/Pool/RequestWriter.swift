internal import APNs
internal import Transport

/// Writes a notification's header fields into one buffer that is used again and again.
///
/// Apple, Sending notification requests to APNs: the table of header fields.
struct RequestWriter {
    private let authority: [UInt8]
    private var fields = HTTP2Fields()

    init(authority: String) {
        self.authority = Array(authority.utf8)
    }

    /// The fields of one request; the authorization is empty with a certificate.
    mutating func write(
        _ notification: borrowing Notification, authorization: [UInt8],
        then body: (borrowing HTTP2Fields) -> Void
    ) {
        fields.removeAll()
        fields.append(name: ":method", value: "POST")
        fields.append(name: ":scheme", value: "https")
        fields.append(name: ":authority", value: authority)
        let token = notification.token
        fields.append(name: ":path") { value in
            let prefix: StaticString = "/3/device/"
            value.append(
                contentsOf: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
            token.appendHex(to: &value)
        }
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
        body(fields)
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
