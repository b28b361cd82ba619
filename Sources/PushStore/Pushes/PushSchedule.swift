/// When a recurring push is sent.
public struct PushSchedule: Sendable, Hashable {
    /// Whose clock the rule's times are on.
    public enum Zone: Sendable, Hashable {
        /// Each device's own.
        case device
        /// One zone, by its IANA name.
        case named(String)
    }

    /// The rule in the syntax of RFC 5545, without `DTSTART`.
    public var rule: String
    /// Whose clock.
    public var zone: Zone
    /// The first time it may fire, as written; nil for the time of the request.
    public var start: String?
    /// The last time it may fire, as written.
    public var until: String?
    /// How often it fires at most.
    public var count: Int?
    /// Times at which it does not fire, as written.
    public var exceptions: [String]

    /// Makes a schedule.
    public init(
        rule: String, zone: Zone = .device, start: String? = nil, until: String? = nil, count: Int? = nil,
        exceptions: [String] = []
    ) {
        self.rule = rule
        self.zone = zone
        self.start = start
        self.until = until
        self.count = count
        self.exceptions = exceptions
    }
}
