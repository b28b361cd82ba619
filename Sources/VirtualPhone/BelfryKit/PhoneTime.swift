public import BelfryKit
public import Recurrence

/// The clock and zone of the phone that an app runs on, for the app library.
public struct PhoneTime: DeviceTime {
    private let application: Application

    /// Makes the time of an app's phone.
    public init(_ application: Application) { self.application = application }

    /// The moment by the phone's clock.
    public var now: Instant { application.now }
    /// The phone's zone.
    public var zone: Zone { application.zone }
}
