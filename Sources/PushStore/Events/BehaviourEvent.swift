public import APNs
public import Recurrence

/// Something a person did in an app, reported by the app: an article read, a product bought.
public struct BehaviourEvent: Sendable, Hashable {
    /// The name of an app's word that a push arrived on its device; `article` is the push's id.
    ///
    /// It is kept with the push and not with the latest events of the installation, and marks no article as seen.
    public static let receiptName = "push.delivered"

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
