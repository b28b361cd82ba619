public import APNs
public import Recurrence

/// An event that an installation reported, as it is kept.
public struct RecentEvent: Sendable, Hashable {
    /// How many of an installation's events are kept: the latest.
    public static let countMaxPerInstallation = 100
    /// How long they are kept at most, in days.
    public static let dayCountMax: Int64 = 30

    /// What happened.
    public var name: String
    /// The article it happened with.
    public var article: String?
    /// What else the app said of it.
    public var properties: [String: JSONValue]
    /// When it happened.
    public var at: Instant

    /// Makes a value.
    public init(name: String, article: String? = nil, properties: [String: JSONValue] = [:], at: Instant) {
        self.name = name
        self.article = article
        self.properties = properties
        self.at = at
    }
}
