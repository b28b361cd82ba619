/// How simulated devices behave where Apple gives no figure, and the limits of the registry.
public struct DevicePolicy: Hashable, Sendable {
    /// A number of events in a span of time.
    public struct Allowance: Hashable, Sendable {
        /// How many are allowed.
        public var count: Int
        /// In how many milliseconds.
        public var milliseconds: Int64

        /// Allows a number of events in a span.
        public init(count: Int, milliseconds: Int64) {
            self.count = count
            self.milliseconds = milliseconds
        }
    }

    /// The size of new tokens in bytes, 8 to 100; 32 is what an iPhone has.
    public var tokenByteCount = 32
    /// How long a dead token still gets 200, counted from the push that found the app deleted.
    ///
    /// Apple keeps the time secret and long, to stop the tracking of deletions; default one minute.
    public var unregisteredGraceMilliseconds: Int64 = 60_000
    /// Whether the app's absence is only noticed when one more push reaches the phone.
    ///
    /// Default yes, as Apple's engineers describe it; without it the grace period starts at the deletion.
    public var noticesRemovalOnPush = true
    /// The longest time a notification is stored: 30 days.
    ///
    /// Apple: Sending notification requests to APNs.
    public var storageMillisecondsMax: Int64 = 30 * 24 * 3_600_000
    /// The pushes a token may get before 429 TooManyRequests; default no limit, since the real one is unknown.
    public var pushesPerToken: Allowance?
    /// The background pushes a device hands to one app; more are held, the newest only.
    ///
    /// Default no limit.
    /// Apple: Pushing background updates to your App, advises two or three an hour.
    public var backgroundPushesPerApp: Allowance?
    /// Whether a device on a link gets one notification at a time and acknowledges it.
    ///
    /// Default yes.
    /// Apple: Viewing the status of push notifications (one notification per device in flight).
    public var hasOneInFlight = true
    /// How long an attempt without storage (expiration 0) waits for a busy device; default one minute.
    public var attemptMilliseconds: Int64 = 60_000
    /// The most devices.
    public var deviceCountMax = 1_000_000
    /// The most apps of one device.
    public var appsPerDeviceMax = 64
    /// The most tokens of one device, dead ones included; the oldest dead one is forgotten first.
    public var tokensPerDeviceMax = 256
    /// The most deliveries kept for one device.
    public var deliveriesPerDeviceMax = 100
    /// The most deliveries kept in all; the oldest leave first.
    public var deliveriesMax = 10_000

    /// Makes the default policy.
    public init() {}
}
