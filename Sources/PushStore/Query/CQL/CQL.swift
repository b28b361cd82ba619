public import APNs

/// A query in LeanCloud's Cloud Query Language, for `_Installation`.
///
/// Read are `select * from _Installation` with `where`, `order by`, `limit` and `skip`. Conditions are
/// comparisons, `in`, `not in`, `all`, `like`, `regexp`, `is null`, `is exists`, `exists` and their negations,
/// joined by `and`, `or`, `not` and parentheses. Values are strings, numbers, Booleans, `null`, `date('…')`,
/// `pointer('Class', 'id')`, and `?` for values that are given beside the text.
public struct CQL: Sendable, Hashable {
    /// The longest text that is read, in bytes of UTF-8.
    public static let byteCountMax = 64 * 1024
    /// How deep parentheses and `not` may stand in each other.
    public static let depthMax = 32

    /// Which rows; nil for all.
    public var filter: WhereClause?
    /// What they are sorted by, first one first.
    public var order: [InstallationFind.Order]
    /// How many rows at most, when the text says so.
    public var limit: Int?
    /// How many rows to leave out first.
    public var skip: Int
    /// The fields that were selected; nil for all.
    public var keys: [String]?
    /// Whether the number of rows is asked for.
    public var wantsCount: Bool

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: one `select` statement.
    ///   - values: what stands for the question marks (`pvalues`), in their order.
    /// - Throws: a ``ChangeError`` with code 300 that says where the text is wrong, or what ``WhereClause`` throws.
    public init(_ text: String, values: [JSONValue] = []) throws(ChangeError) {
        guard text.utf8.count <= CQL.byteCountMax else {
            throw ChangeError(
                code: 300, "cql: \(text.utf8.count) bytes were found, \(CQL.byteCountMax) are allowed")
        }
        var parser = CQLParser(tokens: try CQLTokenizer.tokens(of: text), values: values)
        self = try parser.query()
    }

    init() {
        order = []
        skip = 0
        wantsCount = false
    }
}
