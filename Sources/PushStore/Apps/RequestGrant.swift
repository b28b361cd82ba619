/// What a node may let through of an app's requests.
public struct RequestGrant: Sendable, Hashable {
    /// How many of those asked for.
    public var count: Int
    /// When there is another, in milliseconds from now.
    public var nextMilliseconds: Int64

    /// Makes one of its parts.
    public init(count: Int, nextMilliseconds: Int64) {
        self.count = count
        self.nextMilliseconds = nextMilliseconds
    }
}
