public import APNs
public import Recurrence

/// Something a person did in an app, reported by the app: an article read, a product bought.
public struct BehaviourEvent: Sendable, Hashable {
    /// Which installation reports.
    public enum Source: Sendable, Hashable {
        /// By LeanCloud's `objectId`.
        case objectID(String)
        /// By the id its SDK made.
        case installationID(String)
        /// By its device token, in hexadecimal digits.
        case deviceToken(String)
    }

    /// Which installation reports.
    public var source: Source
    /// What happened, for example `read`.
    public var name: String
    /// What the content was about, each with its weight: what raises the installation's interests.
    public var tags: [String: Double]
    /// The article it happened with; a digest does not offer it to this installation again.
    public var article: String?
    /// What else the app says of it; kept with the latest events and shown, never evaluated.
    public var properties: [String: JSONValue]
    /// When it happened.
    public var at: Instant

    /// Makes an event.
    public init(
        source: Source, name: String, tags: [String: Double] = [:], article: String? = nil,
        properties: [String: JSONValue] = [:], at: Instant
    ) {
        self.source = source
        self.name = name
        self.tags = tags
        self.article = article
        self.properties = properties
        self.at = at
    }
}
