/// How long APNs keeps a notification for a device it cannot reach: the header apns-expiration.
///
/// From Apple: Sending notification requests to APNs.
public enum Expiration: Hashable, Sendable {
    /// No header: APNs keeps the notification for its longest time, 30 days.
    case unspecified
    /// The header's value is 0: one attempt, never stored.
    case never
    /// Kept and tried again until this instant, at most 30 days.
    case at(secondsSince1970: Int64)

    /// The longest time APNs keeps a notification, in seconds: 30 days.
    public static let storageSecondsMax: Int64 = 30 * 24 * 60 * 60

    /// Reads the header's value: decimal digits, 0 meaning never.
    ///
    /// - Returns: nil for anything else, also for a sign, a fraction or a number above 64 bits.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        guard !text.isEmpty else { return nil }
        var seconds: Int64 = 0
        for byte in text {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (product, productOverflow) = seconds.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = product.addingReportingOverflow(Int64(byte - 0x30))
            if productOverflow || sumOverflow { return nil }
            seconds = sum
        }
        self = seconds == 0 ? .never : .at(secondsSince1970: seconds)
    }

    /// The number to send; nil when the header is left out.
    public var headerValue: Int64? {
        switch self {
        case .unspecified: nil
        case .never: 0
        case .at(let seconds): max(0, seconds)
        }
    }

    /// When a notification accepted at an instant leaves APNs' storage at the latest; nil when never stored.
    public func storedUntil(acceptedAt secondsSince1970: Int64) -> Int64? {
        let limit = secondsSince1970 + Expiration.storageSecondsMax
        switch self {
        case .unspecified: return limit
        case .never: return nil
        case .at(let seconds): return min(seconds, limit)
        }
    }
}
