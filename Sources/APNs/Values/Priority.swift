/// How urgent a notification is: the value of the header apns-priority.
///
/// Meaning from Apple: Sending notification requests to APNs. APNs takes 10 when the header is absent.
public enum Priority: Int, CaseIterable, Hashable, Sendable {
    /// Power matters more than anything else; the device is not woken.
    case low = 1
    /// The device's power is taken into account.
    case normal = 5
    /// The notification is sent at once.
    case high = 10

    /// Reads the header's value, without allocation: exactly 1, 5 or 10.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        if text.count == 1, text[0] == 0x31 {
            self = .low
        } else if text.count == 1, text[0] == 0x35 {
            self = .normal
        } else if text.count == 2, text[0] == 0x31, text[1] == 0x30 {
            self = .high
        } else {
            return nil
        }
    }

    /// The header's value as constant bytes.
    package var headerValue: StaticString {
        switch self {
        case .low: "1"
        case .normal: "5"
        case .high: "10"
        }
    }
}
