internal import APNs
internal import PostgreSQL
internal import Recurrence

/// What of a condition the service asks of each row itself, because the server cannot decide it alike.
struct WhereResidual: Sendable {
    private let node: WhereNode
    private let tags: [String]
    private let app: Int64
    private let now: Instant
    private let scale: InterestScale

    /// Nil for a condition that the server decides alone.
    init?(_ node: WhereNode, app: Int64, now: Instant, scale: InterestScale) {
        var tags: Set<String> = []
        guard Self.hasExpression(node, &tags) else { return nil }
        self.node = node
        self.tags = tags.sorted()
        self.app = app
        self.now = now
        self.scale = scale
    }

    /// All of a condition, asked by the service itself, for rows of a transaction that is under way.
    init(whole clause: WhereClause, app: Int64, now: Instant, scale: InterestScale = InterestScale()) {
        var tags: Set<String> = []
        _ = Self.hasExpression(clause.node, &tags)
        node = clause.node
        self.tags = tags.sorted()
        self.app = app
        self.now = now
        self.scale = scale
    }

    /// Whether each row holds the condition.
    func matches(_ rows: [Installation], _ session: Session) throws -> [Bool] {
        var interests: [Int64: [String: JSONValue]] = [:]
        if !tags.isEmpty {
            let found = try session.query(
                "SELECT installation, tag, score FROM installation_interests WHERE installation = ANY($1) AND tag = ANY($2)",
                [.integers(rows.map(\.number)), .texts(tags)])
            for row in found {
                let value = scale.value(ofScore: try row.real(2), at: now)
                interests[try row.integer(0), default: [:]][try row.string(1)] = .number(value)
            }
        }
        return rows.map { row in
            var object = row.object
            if let own = interests[row.number] { object[WhereField.interestsKey] = .object(own) }
            return node.matches(object)
        }
    }

    /// Whether a part of it is a regular expression; collects the tags whose interests it asks for.
    private static func hasExpression(_ node: WhereNode, _ tags: inout Set<String>) -> Bool {
        switch node {
        case .all(let nodes), .any(let nodes):
            return nodes.reduce(false) { hasExpression($1, &tags) || $0 }
        case .not(let node): return hasExpression(node, &tags)
        case .condition(let condition):
            if case .interest(let tag) = condition.field { tags.insert(tag) }
            if case .matches = condition.test { return true }
            return false
        }
    }
}
