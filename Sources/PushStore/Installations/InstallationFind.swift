/// A query for installations, as a list request asks it.
public struct InstallationFind: Sendable, Hashable {
    /// A key to sort by.
    public struct Order: Sendable, Hashable {
        /// A field, dotted for nested ones.
        public var key: String
        /// Whether large values come first (`-key`).
        public var isDescending: Bool

        /// Makes an order.
        public init(key: String, isDescending: Bool = false) {
            self.key = key
            self.isDescending = isDescending
        }
    }

    /// LeanCloud: 1000 rows at most in one answer.
    public static let limitMax = 1000

    /// Which rows; nil for all.
    public var filter: WhereClause?
    /// Sorted by these, first one first; by distance for `$nearSphere` and otherwise by creation when empty.
    public var order: [Order]
    /// How many rows at most, 0...1000; 0 is for counting only.
    public var limit: Int
    /// How many rows to leave out first.
    public var skip: Int

    /// Makes a query.
    public init(filter: WhereClause? = nil, order: [Order] = [], limit: Int = 100, skip: Int = 0) {
        self.filter = filter
        self.order = order
        self.limit = limit
        self.skip = skip
    }
}
