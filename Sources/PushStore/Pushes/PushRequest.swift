public import APNs
public import Recurrence

/// What a request for a push asks, checked and complete; kept as JSON in the push's row.
public struct PushRequest: Sendable, Hashable {
    /// When the push is sent.
    public enum Time: Sendable, Hashable {
        /// As soon as it is planned.
        case now
        /// At one instant everywhere.
        case at(Instant)
        /// When each device's own clock shows this.
        case local(CivilDateTime)
    }

    /// Until when a device may get it.
    public enum Lifetime: Sendable, Hashable {
        /// As long as APNs keeps it.
        case unlimited
        /// Until an instant.
        case until(Instant)
        /// For so many seconds from the time it is sent.
        case seconds(Int64)
    }

    /// The app's `data` object as it was sent.
    public var data: [String: JSONValue]
    /// Which installations; their conditions are joined by *and*.
    public var filter: WhereClause?
    /// Installations in any of these channels; nil for no such condition.
    public var channels: [String]?
    /// Device tokens instead of installations (`push/devices`), in lower case.
    public var deviceTokens: [String]?
    /// The broadcast channel it is published on once, instead of being sent to devices.
    public var broadcastChannel: String?
    /// Only installations whose attribute `test` is true.
    public var isTest: Bool
    /// When.
    public var time: Time
    /// Again and again, at times of its own; the pushes it makes have none.
    public var schedule: PushSchedule?
    /// Until when.
    public var lifetime: Lifetime
    /// Only installations of this environment, and those of an unknown one in it.
    public var environment: Environment?
    /// The environment that installations of an unknown one are tried in first.
    public var fallbackEnvironment: Environment
    /// The topic instead of the installation's.
    public var topic: String?
    /// The team instead of the installation's.
    public var teamID: String?
    /// The credential's name instead of the installation's.
    public var deviceProfile: String?
    /// Requests with the same one share a record.
    public var notificationID: String?
    /// Requests with the same one within five minutes are one push.
    public var requestID: String?
    /// Devices a second at most; nil for as fast as it goes.
    public var devicesPerSecondMax: Int?
    /// By how much the badge of each installation is raised; nil when the badge is set or left alone.
    public var badgeIncrement: Int64?
    /// Whether it is shown in quiet hours too.
    public var ignoresQuietHours: Bool
    /// Whether it is sent to installations that have had their fill.
    public var ignoresFrequencyCap: Bool
    /// How many minutes late it may still be sent when the service was down at its time.
    public var lateMinutesMax: Int
    /// Articles of which each device gets one, as it was sent.
    public var digest: JSONValue?

    /// What batches are made of when it is not installations: device tokens, or the one channel.
    package var givenAddresses: [String]? { deviceTokens ?? broadcastChannel.map { [$0] } }

    /// How late a push may be when its request does not say.
    public static let lateMinutesMaxDefault = 60

    /// Makes a request to everybody, now.
    public init(data: [String: JSONValue]) {
        self.data = data
        isTest = false
        time = .now
        lifetime = .unlimited
        fallbackEnvironment = .production
        ignoresQuietHours = false
        ignoresFrequencyCap = false
        lateMinutesMax = PushRequest.lateMinutesMaxDefault
    }

    /// The last instant at which a device may get it; nil for no limit.
    ///
    /// - Parameter sentAt: when it is due.
    public func expiresAt(sentAt: Instant) -> Instant? {
        switch lifetime {
        case .unlimited: nil
        case .until(let instant): instant
        case .seconds(let seconds): sentAt.advanced(bySeconds: seconds)
        }
    }
}
