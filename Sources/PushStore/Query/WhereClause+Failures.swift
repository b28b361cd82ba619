public import APNs

extension WhereClause {
    /// A condition that an object does not hold.
    public struct Failure: Sendable, Hashable {
        /// The field, dotted for nested ones, or the operator that joins conditions.
        public var path: String
        /// The operator; `$eq` for a plain value.
        public var `operator`: String
        /// The operand, as it was written.
        public var expected: JSONValue
        /// The field's value; nil when it is missing.
        public var found: JSONValue?
        /// Whether the condition holds and must not, for it stands under `$not` or `$nor`.
        public var mustNotHold: Bool

        /// Makes a failure.
        public init(
            path: String, operator: String, expected: JSONValue, found: JSONValue?, mustNotHold: Bool = false
        ) {
            self.path = path
            self.operator = `operator`
            self.expected = expected
            self.found = found
            self.mustNotHold = mustNotHold
        }
    }

    /// The conditions that keep an object from matching; empty when it matches.
    ///
    /// Of an `$or` that fails, all alternatives are listed: mending one of them is enough.
    /// - Parameter object: all fields by key as the REST API shows them.
    public func failures(in object: [String: JSONValue]) -> [Failure] {
        var failures: [Failure] = []
        node.collectFailures(in: object, mustHold: true, into: &failures)
        return failures
    }
}

extension WhereNode {
    fileprivate func collectFailures(
        in object: [String: JSONValue], mustHold: Bool, into failures: inout [WhereClause.Failure]
    ) {
        guard matches(object) != mustHold else { return }
        switch self {
        case .all(let nodes), .any(let nodes):
            if nodes.isEmpty, !mustHold {
                failures.append(
                    WhereClause.Failure(
                        path: "$not", operator: "$and", expected: .array([]), found: nil, mustNotHold: true))
            }
            for node in nodes { node.collectFailures(in: object, mustHold: mustHold, into: &failures) }
        case .not(let node):
            node.collectFailures(in: object, mustHold: !mustHold, into: &failures)
        case .condition(let condition):
            failures.append(
                WhereClause.Failure(
                    path: condition.field.path, operator: condition.name, expected: condition.expected,
                    found: condition.field.value(in: object), mustNotHold: !mustHold))
        }
    }
}
