/// A piece of news.
public struct Article: Hashable, Sendable {
    /// What the editors call it.
    public var id: String
    /// What it is about.
    public var tags: [String]

    /// Makes an article.
    public init(id: String, tags: [String]) {
        self.id = id
        self.tags = tags
    }
}
