public import APNs

/// One article a digest push offers.
public struct DigestArticle: Sendable, Hashable {
    /// The customer's id of it; an installation gets each id once.
    public var id: String
    /// What it is about, each with its weight.
    public var tags: [String: Double]
    /// The keys it puts over those of the push's `data`.
    public var data: [String: JSONValue]

    /// Makes an article.
    public init(id: String, tags: [String: Double], data: [String: JSONValue]) {
        self.id = id
        self.tags = tags
        self.data = data
    }
}
