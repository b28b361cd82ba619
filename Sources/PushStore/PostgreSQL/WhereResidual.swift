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
        let conditions = node.conditions
        guard conditions.contains(where: \.test.isRegularExpression) else { return nil }
        self.node = node
        tags = Self.tags(conditions)
        self.app = app
        self.now = now
        self.scale = scale
    }

    /// All of a condition, asked by the service itself, for rows of a transaction that is under way.
    init(whole clause: WhereClause, app: Int64, now: Instant, scale: InterestScale = InterestScale()) {
        node = clause.node
        tags = Self.tags(clause.node.conditions)
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

    /// The tags whose interests a condition asks for.
    private static func tags(_ conditions: [WhereCondition]) -> [String] {
        let tags = conditions.compactMap { condition in
            if case .interest(let tag) = condition.field { tag } else { nil }
        }
        return Set(tags).sorted()
    }
}
