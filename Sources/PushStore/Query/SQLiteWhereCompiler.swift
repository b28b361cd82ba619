internal import APNs
internal import Recurrence
internal import SQLite

/// Writes the SQL of conditions.
///
/// What it writes may be NULL where it does not hold; a negation turns that into true, as an operator on a
/// missing field wants it.
struct SQLiteWhereCompiler {
    let app: Int64
    let now: Instant
    let purpose: SQLiteWhere.Purpose
    let interests: InterestScale
    /// The channel that the statement walks; conditions for it hold without being looked at.
    var drivingChannel: String?

    /// Up to so many values of a list are placeholders of their own, which indexes serve best; more are one
    /// JSON text, so that the statement's text does not grow with them.
    static let placeholderListCountMax = 8

    static let never = SQLFragment("0")
    static let always = SQLFragment("1")

    /// The SQL of a node, or of its contrary.
    ///
    /// Negations are moved inwards: SQLite's parser has a stack of a hundred entries, and `NOT` around
    /// parentheses takes several at each level.
    func compile(_ node: WhereNode, isNegated: Bool = false, isConjunct: Bool = false) -> SQLFragment {
        switch node {
        case .all(let nodes): join(nodes, byAnd: !isNegated, isNegated: isNegated, isConjunct: isConjunct)
        case .any(let nodes): join(nodes, byAnd: isNegated, isNegated: isNegated, isConjunct: false)
        case .not(let node): compile(node, isNegated: !isNegated)
        case .condition(let condition): compile(condition, isNegated: isNegated, isConjunct: isConjunct)
        }
    }

    private func join(
        _ nodes: [WhereNode], byAnd: Bool, isNegated: Bool, isConjunct: Bool
    ) -> SQLFragment {
        guard !nodes.isEmpty else { return byAnd ? Self.always : Self.never }
        var ordered = nodes
        // What stands before the deepest part waits on the parser's stack; so it goes first.
        let depths = nodes.map(\.depth)
        if let depth = depths.max(), depth >= Self.depthOrdered, let deepest = depths.firstIndex(of: depth) {
            ordered.swapAt(0, deepest)
        }
        return .grouped(
            ordered.map { compile($0, isNegated: isNegated, isConjunct: isConjunct && !isNegated) },
            by: byAnd ? " AND " : " OR ")
    }

    /// From this depth on the parts of a condition are written in another order than they were given.
    private static let depthOrdered = 3

    private func compile(
        _ condition: WhereCondition, isNegated: Bool, isConjunct: Bool
    ) -> SQLFragment {
        let isContrary = condition.isNegated != isNegated
        let sql =
            switch condition.field {
            case .builtIn(let field): column(field, condition.test)
            case .channels: channels(condition.test, isConjunct: isConjunct && !isContrary)
            case .interest(let tag): interest(tag, condition.test)
            case .attribute(let keys): Self.attribute(keys, condition.test)
            }
        return isContrary ? sql.negated : sql
    }

    // The two tables beside the installations are read in one go for a whole result, and looked up row by row
    // in a walk, where reading them once for each page would cost more than the page.

    // MARK: - Interests

    private func interest(_ tag: String, _ test: WhereTest) -> SQLFragment {
        var sql: SQLFragment
        switch purpose {
        case .whole:
            sql = SQLFragment(
                """
                i.number IN (SELECT s.installation FROM installation_interests AS s \
                WHERE s.app = ? AND s.tag = ?
                """, [.integer(app), .text(tag)])
        case .walk:
            sql = SQLFragment(
                """
                EXISTS (SELECT 1 FROM installation_interests AS s \
                WHERE s.app = i.app AND s.tag = ? AND s.installation = i.number
                """, [.text(tag)])
        }
        switch test {
        case .exists: break
        case .compares(let comparison, let value):
            let bound: Double
            switch value {
            case .integer(let integer): bound = Double(integer)
            case .number(let number): bound = number
            default: return Self.never
            }
            let score = Value.real(interests.score(ofValue: bound, at: now))
            switch comparison {
            case .less: sql.append(" AND s.score < ?", [score])
            case .lessOrEqual: sql.append(" AND s.score <= ?", [score])
            case .greater: sql.append(" AND s.score > ?", [score])
            case .greaterOrEqual: sql.append(" AND s.score >= ?", [score])
            }
        default: return Self.never
        }
        sql.append(")")
        return sql
    }

    // MARK: - Channels

    /// An empty list of channels counts as a missing field too: nothing tells the two apart.
    private func channels(_ test: WhereTest, isConjunct: Bool) -> SQLFragment {
        switch test {
        case .isIn(let values):
            return channels(in: values, isConjunct: isConjunct)
        case .hasAll(let values):
            let all = values.map { channels(in: [$0], isConjunct: isConjunct) }
            return all.isEmpty ? Self.never : .grouped(all, by: " AND ")
        case .compares(let comparison, .string(let text)):
            var sql = SQLFragment("EXISTS (SELECT 1 FROM json_each(i.channels) AS e WHERE e.value")
            sql.append(Self.comparison(comparison))
            sql.append("?)", [.text(text)])
            return sql
        case .hasCount(let count):
            return SQLFragment("json_array_length(i.channels) = ?", [.integer(count)])
        case .exists: return SQLFragment("i.channels <> '[]'")
        case .matches(let expression):
            return SQLFragment(
                "EXISTS (SELECT 1 FROM json_each(i.channels) AS e WHERE belfry_regex(?, ?, e.value))",
                [.text(expression.pattern), .text(expression.options)])
        case .compares, .isNear, .isWithin: return Self.never
        }
    }

    private func channels(in values: [WhereValue], isConjunct: Bool) -> SQLFragment {
        var alternatives: [SQLFragment] = []
        var names: [String] = []
        for value in values {
            switch value {
            case .string(let name): names.append(name)
            case .null: alternatives.append(SQLFragment("i.channels = '[]'"))
            case .structure(let text): alternatives.append(SQLFragment("i.channels = ?", [.text(text)]))
            default: break
            }
        }
        if isConjunct, values.count == 1, let name = names.first, let drivingChannel,
            name.utf8.elementsEqual(drivingChannel.utf8)
        {
            return Self.always
        }
        if !names.isEmpty {
            var sql: SQLFragment
            switch purpose {
            case .whole:
                sql = SQLFragment(
                    """
                    i.number IN (SELECT m.installation FROM installation_channels AS m \
                    WHERE m.app = ? AND m.channel
                    """, [.integer(app)])
            case .walk:
                sql = SQLFragment(
                    """
                    EXISTS (SELECT 1 FROM installation_channels AS m \
                    WHERE m.app = i.app AND m.installation = i.number AND m.channel
                    """)
            }
            sql.append(Self.membership(names.map { .text($0) }, json: names.map { .string($0) }))
            sql.append(")")
            alternatives.append(sql)
        }
        return alternatives.isEmpty ? Self.never : .grouped(alternatives, by: " OR ")
    }

    // MARK: - Parts

    static func comparison(_ comparison: WhereComparison) -> SQLFragment {
        switch comparison {
        case .less: SQLFragment(" < ")
        case .lessOrEqual: SQLFragment(" <= ")
        case .greater: SQLFragment(" > ")
        case .greaterOrEqual: SQLFragment(" >= ")
        }
    }

    /// What stands after an expression that must be one of some values.
    static func membership(_ values: [Value], json: @autoclosure () -> [JSONValue]) -> SQLFragment {
        if values.count == 1 { return SQLFragment(" = ?", values) }
        if values.count <= placeholderListCountMax {
            var sql = SQLFragment(" IN (?", [values[0]])
            for value in values.dropFirst() { sql.append(", ?", [value]) }
            sql.append(")")
            return sql
        }
        return SQLFragment(" IN (SELECT value FROM json_each(?))", [.text(text(.array(json())))])
    }

    /// JSON text; everything that gets here was encoded once before.
    static func text(_ json: JSONValue) -> String {
        String(decoding: (try? json.encoded()) ?? [], as: UTF8.self)
    }
}
