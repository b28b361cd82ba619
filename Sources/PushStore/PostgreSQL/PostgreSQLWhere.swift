internal import APNs
internal import PostgreSQL
internal import Recurrence

/// A condition as SQL for the PostgreSQL store's tables.
///
/// Names and values from outside are bound, also the keys into the attributes. What the server cannot decide exactly
/// as the service does (regular expressions, whose dialect is PCRE2's) is left to the service: then ``residual`` is
/// what has to hold beside the SQL, which finds those rows and perhaps some more.
struct PostgreSQLWhere: Sendable {
    /// What the statement does with the rows.
    enum Purpose: Sendable {
        /// It reads all that match at once: counting, finding, deleting.
        case whole
        /// It goes through all rows page by page, each page going on where the last one ended.
        case walk
    }

    /// What stands after FROM: the table `installations` as `i`, joined to a channel where that finds the rows.
    private(set) var source: PostgreSQLFragment
    /// What stands after WHERE.
    var condition: PostgreSQLFragment
    /// The row's number, to be compared and sorted by in a walk.
    private let number: StaticString
    private let isLedByChannel: Bool
    /// The channel whose members are exactly the rows that match; nil for any other condition.
    let wholeChannel: String?
    /// The distance of `$nearSphere`, to sort by when nothing else is asked; nil without one.
    private(set) var distance: PostgreSQLFragment?
    /// What the service has to ask of each row itself; nil when the SQL is exact.
    private(set) var residual: WhereResidual?

    /// Makes the SQL of a condition; of all rows of an app when it is nil.
    init(
        _ clause: WhereClause?, app: Int64, now: Instant, purpose: Purpose = .whole,
        interests: InterestScale = InterestScale()
    ) {
        let root = clause?.node ?? .all([])
        var compiler = PostgreSQLWhereCompiler(app: app, now: now, purpose: purpose, interests: interests)
        compiler.drivingChannel = Self.drivingChannel(root)
        wholeChannel = Self.wholeChannel(root)
        if let channel = compiler.drivingChannel {
            source = PostgreSQLFragment(
                """
                installation_channels AS d JOIN installations AS i \
                ON d.app = ? AND d.channel = ? AND i.number = d.installation
                """, [.integer(app), .text(channel)])
            number = "d.installation"
            isLedByChannel = true
        } else {
            source = PostgreSQLFragment("installations AS i")
            number = "i.number"
            isLedByChannel = false
        }
        condition = PostgreSQLFragment("i.app = ?", [.integer(app)])
        for hint in Self.conjuncts(root).compactMap({ compiler.hint($0) }) {
            condition.append(" AND ")
            condition.append(hint)
        }
        condition.append(" AND ")
        condition.append(compiler.compile(root, isConjunct: true))
        distance = Self.nearest(root).map(PostgreSQLWhereCompiler.distance)
        residual = WhereResidual(root, app: app, now: now, scale: interests)
    }

    /// What follows the condition in a walk: the rows after one, in the order of their numbers.
    ///
    /// Where a channel's members lead, both tables begin after that row. A server that joins them in their order would
    /// else read the installations from the first one on, for every page again.
    func onward(after last: Int64) -> PostgreSQLFragment {
        var sql = PostgreSQLFragment(" AND i.number > ?", [.integer(last)])
        if isLedByChannel { sql.append(" AND d.installation > ?", [.integer(last)]) }
        sql.append(" ORDER BY ")
        sql.append(number)
        return sql
    }

    /// What to sort by for a key of a query, as `order` gives it; the keys stand after each other.
    ///
    /// - Throws: code 105 for what is no key.
    static func order(by key: String) throws(ChangeError) -> [PostgreSQLFragment] {
        PostgreSQLWhereCompiler.sortKeys(try WhereField(key))
    }

    /// Whether an index finds the handful of rows that can match.
    private static func isLookup(_ root: WhereNode) -> Bool {
        conjuncts(root).contains { PostgreSQLWhereCompiler.isKey($0) }
    }

    /// A channel that every match is in, when walking its members is the best way to find them.
    private static func drivingChannel(_ root: WhereNode) -> String? {
        guard !isLookup(root) else { return nil }
        for condition in conjuncts(root) where condition.field == .channels && !condition.isNegated {
            switch condition.test {
            case .isIn(let values):
                if values.count == 1, case .string(let name) = values[0] { return name }
            case .hasAll(let values):
                if case .string(let name)? = values.first { return name }
            default: break
            }
        }
        return nil
    }

    /// The channel that a condition asks for and nothing else.
    private static func wholeChannel(_ root: WhereNode) -> String? {
        switch root {
        case .all(let nodes): return nodes.count == 1 ? wholeChannel(nodes[0]) : nil
        case .condition(let condition):
            if case .hasAll(let values) = condition.test, values.count > 1 { return nil }
            return drivingChannel(root)
        case .any, .not: return nil
        }
    }

    private static func nearest(_ root: WhereNode) -> (keys: [String], place: Place)? {
        for condition in conjuncts(root) {
            if case .isNear(let place, _) = condition.test, case .attribute(let keys) = condition.field {
                return (keys, place)
            }
        }
        return nil
    }

    /// The conditions that every match holds.
    private static func conjuncts(_ node: WhereNode) -> [WhereCondition] {
        switch node {
        case .all(let nodes): nodes.flatMap(conjuncts)
        case .condition(let condition): [condition]
        case .any, .not: []
        }
    }
}
