/// What a digest has to know of one installation.
public struct DigestRow: Sendable, Hashable {
    /// Interests from 0 to 1, by index in the tags that were asked for.
    public var interests: [(tag: Int, value: Double)]
    /// Indices of the articles it has had, of those that were asked for.
    public var seen: Set<Int>

    /// Makes a row without anything.
    public init() {
        interests = []
        seen = []
    }

    /// Whether two rows say the same.
    public static func == (left: DigestRow, right: DigestRow) -> Bool {
        left.seen == right.seen && left.interests.elementsEqual(right.interests) { $0 == $1 }
    }

    /// Hashes what makes rows equal.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(seen)
        hasher.combine(interests.count)
    }
}
