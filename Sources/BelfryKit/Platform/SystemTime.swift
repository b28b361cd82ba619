public import Recurrence
internal import Foundation

/// The clock and the zone of the device.
public struct SystemTime: DeviceTime {
    /// Makes the device's time.
    public init() {}

    /// The moment.
    public var now: Instant {
        Instant(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// The zone that is set on the device; UTC when the rules know none of its name.
    public var zone: Zone { (try? Zone(TimeZone.autoupdatingCurrent.identifier)) ?? .utc }
}
