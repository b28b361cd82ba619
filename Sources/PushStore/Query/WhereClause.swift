public import APNs

/// A condition on an object's fields, as LeanCloud's and Parse's `where` writes it.
public struct WhereClause: Sendable, Hashable {
    /// The JSON it was read from.
    public let json: JSONValue

    /// Reads a condition.
    ///
    /// - Throws: a ``ChangeError`` with LeanCloud's code: 304 for an operator, 105 for a key, 302 for a place.
    public init(_ json: JSONValue) throws(ChangeError) {
        guard case .object = json else {
            throw ChangeError(code: 107, "where: \(json.kind) was found, an object is needed")
        }
        self.json = json
    }
}
