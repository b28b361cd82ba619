public import Recurrence

/// The clock and the time zone of the device, which a test moves.
public protocol DeviceTime: Sendable {
    /// The moment.
    var now: Instant { get }
    /// The time zone of the device at this moment.
    var zone: Zone { get }
}
