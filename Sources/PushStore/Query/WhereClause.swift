public import APNs

/// A condition on an object's fields, as LeanCloud's and Parse's `where` writes it.
///
/// It is checked whole when it is made: whatever a clause cannot mean is an error then and never later.
public struct WhereClause: Sendable {
    /// How deep `$and`, `$or`, `$nor` and `$not` may stand in each other.
    public static let depthMax = 16
    /// How many conditions one clause may have; every value of `$all` counts as one.
    public static let conditionCountMax = 500
    /// How many values `$in` and `$nin` may list.
    public static let listCountMax = 5000
    /// How many bytes of UTF-8 the pattern of `$regex` may have.
    public static let patternByteCountMax = 1000

    /// The JSON it was read from.
    public let json: JSONValue
    /// What it means.
    package let node: WhereNode

    /// Reads a condition: an object, or an array of objects that all have to hold.
    ///
    /// - Throws: a ``ChangeError`` with LeanCloud's code: 304 for an operator, 105 for a key, 302 for a place,
    ///   111 for a value of the wrong type, 107 for what has the wrong form or is too large.
    public init(_ json: JSONValue) throws(ChangeError) {
        var parser = WhereParser()
        node = try parser.clause(json, depth: 0)
        self.json = json
    }

    /// Reads a condition from JSON text.
    ///
    /// - Throws: a ``ChangeError`` with code 107 when the text is not JSON, and those of the other initialiser.
    public init(parsing text: String) throws(ChangeError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: text)
        } catch {
            throw ChangeError(code: 107, "where: \(error.message)")
        }
        try self.init(json)
    }

    /// Whether a part of it is a regular expression, whose cost its writer decides.
    package var hasRegularExpression: Bool { node.conditions.contains(where: \.test.isRegularExpression) }
}

extension WhereClause: Hashable {
    /// Whether both were read from the same JSON.
    public static func == (left: WhereClause, right: WhereClause) -> Bool { left.json == right.json }

    /// Hashes the JSON.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
