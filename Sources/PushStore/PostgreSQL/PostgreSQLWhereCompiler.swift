internal import APNs
internal import PostgreSQL
internal import Recurrence

/// Writes the SQL of conditions.
///
/// What it writes may be NULL where it does not hold; a negation turns that into true, as an operator on a
/// missing field wants it.
struct PostgreSQLWhereCompiler {
    let app: Int64
    let now: Instant
    let purpose: PostgreSQLWhere.Purpose
    let interests: InterestScale
    /// The channel that the statement walks; conditions for it hold without being looked at.
    var drivingChannel: String?

    static let never = PostgreSQLFragment("FALSE")
    static let always = PostgreSQLFragment("TRUE")

    /// The SQL of a node, or of its contrary; negations are moved inwards.
    func compile(
        _ node: WhereNode, isNegated: Bool = false, isConjunct: Bool = false
    ) -> PostgreSQLFragment {
        switch node {
        case .all(let nodes): join(nodes, byAnd: !isNegated, isNegated: isNegated, isConjunct: isConjunct)
        case .any(let nodes): join(nodes, byAnd: isNegated, isNegated: isNegated, isConjunct: false)
        case .not(let node): compile(node, isNegated: !isNegated)
        case .condition(let condition): compile(condition, isNegated: isNegated, isConjunct: isConjunct)
        }
    }

    private func join(
        _ nodes: [WhereNode], byAnd: Bool, isNegated: Bool, isConjunct: Bool
    ) -> PostgreSQLFragment {
        guard !nodes.isEmpty else { return byAnd ? Self.always : Self.never }
        return .grouped(
            nodes.map { compile($0, isNegated: isNegated, isConjunct: isConjunct && !isNegated) },
            by: byAnd ? " AND " : " OR ")
    }

    private func compile(
        _ condition: WhereCondition, isNegated: Bool, isConjunct: Bool
    ) -> PostgreSQLFragment {
        // The service asks this itself; whether it holds or must not, no row is left out for it.
        if case .matches = condition.test { return Self.always }
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

    // MARK: - Hints

    /// Whether a condition names a handful of rows by their unique keys.
    static func isKey(_ condition: WhereCondition) -> Bool {
        guard case .isIn(let values) = condition.test, !condition.isNegated, !values.contains(.null) else {
            return false
        }
        return switch condition.field {
        case .builtIn(.objectID), .builtIn(.deviceToken), .builtIn(.installationID): true
        default: false
        }
    }

    /// How many values of a list an index on the attributes is asked for.
    private static let indexedValueCountMax = 16

    /// What an index can find of a condition that every match holds, said in addition to the condition itself.
    func hint(_ condition: WhereCondition) -> PostgreSQLFragment? {
        guard !condition.isNegated, case .isIn(let values) = condition.test, !values.contains(.null) else {
            return nil
        }
        switch condition.field {
        case .builtIn(.objectID): return key(0, values)
        case .builtIn(.deviceToken): return key(1, values)
        case .builtIn(.installationID):
            return PostgreSQLFragment(
                """
                i.number IN (SELECT n.installation FROM installation_ids AS n \
                WHERE n.app = ? AND n.installation_id = ANY(?))
                """, [.integer(app), .texts(Self.strings(values))])
        case .attribute(let keys) where values.count <= Self.indexedValueCountMax:
            return containment(keys, values)
        default: return nil
        }
    }

    private func key(_ kind: Int64, _ values: [WhereValue]) -> PostgreSQLFragment {
        PostgreSQLFragment(
            """
            i.number IN (SELECT k.installation FROM installation_keys AS k \
            WHERE k.app = ? AND k.kind = ? AND k.key = ANY(?))
            """, [.integer(app), .integer(kind), .texts(Self.strings(values))])
    }

    private static func strings(_ values: [WhereValue]) -> [String] {
        values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// That the attributes contain one of the values, or a list with one, by the rules of `@>`.
    private func containment(_ keys: [String], _ values: [WhereValue]) -> PostgreSQLFragment? {
        var alternatives: [PostgreSQLFragment] = []
        for value in values {
            let json: JSONValue
            switch value {
            case .bool(let bool): json = .bool(bool)
            case .integer(let integer): json = .integer(integer)
            case .number(let number): json = .number(number)
            case .string(let text): json = .string(text)
            case .pointer(let className, let objectID):
                json = [
                    "__type": "Pointer", "className": .string(className), "objectId": .string(objectID),
                ]
            // Dates are written in many ways; lists and objects contain more than themselves.
            case .date, .structure, .null: return nil
            }
            for form in [json, .array([json])] {
                let nested = keys.reversed().reduce(form) { .object([$1: $0]) }
                alternatives.append(
                    PostgreSQLFragment("i.attributes @> ?::jsonb", [.text(Self.text(nested))]))
            }
        }
        return alternatives.isEmpty ? nil : .grouped(alternatives, by: " OR ")
    }

    // MARK: - Interests

    private func interest(_ tag: String, _ test: WhereTest) -> PostgreSQLFragment {
        var sql: PostgreSQLFragment
        switch purpose {
        case .whole:
            sql = PostgreSQLFragment(
                """
                i.number IN (SELECT s.installation FROM installation_interests AS s \
                WHERE s.app = ? AND s.tag = ?
                """, [.integer(app), .text(tag)])
        case .walk:
            sql = PostgreSQLFragment(
                """
                EXISTS (SELECT 1 FROM installation_interests AS s \
                WHERE s.installation = i.number AND s.tag = ?
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
            sql.append(" AND s.score")
            sql.append(Self.comparison(comparison))
            sql.append("?", [.real(interests.score(ofValue: bound, at: now))])
        default: return Self.never
        }
        sql.append(")")
        return sql
    }

    // MARK: - Channels

    /// An empty list of channels counts as a missing field too: nothing tells the two apart.
    private func channels(_ test: WhereTest, isConjunct: Bool) -> PostgreSQLFragment {
        switch test {
        case .isIn(let values):
            return channels(in: values, isConjunct: isConjunct)
        case .hasAll(let values):
            let all = values.map { channels(in: [$0], isConjunct: isConjunct) }
            return all.isEmpty ? Self.never : .grouped(all, by: " AND ")
        case .compares(let comparison, .string(let text)):
            var sql = PostgreSQLFragment("EXISTS (SELECT 1 FROM unnest(i.channels) AS e(name) WHERE e.name")
            sql.append(Self.comparison(comparison))
            sql.append("?)", [.text(text)])
            return sql
        case .hasCount(let count): return PostgreSQLFragment("cardinality(i.channels) = ?", [.integer(count)])
        case .exists: return PostgreSQLFragment("cardinality(i.channels) > 0")
        case .compares, .isNear, .isWithin, .matches: return Self.never
        }
    }

    private func channels(in values: [WhereValue], isConjunct: Bool) -> PostgreSQLFragment {
        var alternatives: [PostgreSQLFragment] = []
        var names: [String] = []
        for value in values {
            switch value {
            case .string(let name): names.append(name)
            case .null: alternatives.append(PostgreSQLFragment("cardinality(i.channels) = 0"))
            case .structure(let text):
                guard case .array(let elements)? = try? JSONValue(parsing: text) else { continue }
                let list = elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
                guard list.count == elements.count else { continue }
                alternatives.append(PostgreSQLFragment("i.channels = ?", [.texts(list)]))
            default: break
            }
        }
        if isConjunct, values.count == 1, let name = names.first, let drivingChannel,
            name.utf8.elementsEqual(drivingChannel.utf8)
        {
            return Self.always
        }
        if !names.isEmpty {
            if purpose == .whole, isConjunct, alternatives.isEmpty {
                return PostgreSQLFragment(
                    """
                    i.number IN (SELECT m.installation FROM installation_channels AS m \
                    WHERE m.app = ? AND m.channel = ANY(?))
                    """, [.integer(app), .texts(names)])
            }
            alternatives.append(PostgreSQLFragment("i.channels && ?", [.texts(names)]))
        }
        return alternatives.isEmpty ? Self.never : .grouped(alternatives, by: " OR ")
    }

    // MARK: - Parts

    static func comparison(_ comparison: WhereComparison) -> PostgreSQLFragment {
        switch comparison {
        case .less: PostgreSQLFragment(" < ")
        case .lessOrEqual: PostgreSQLFragment(" <= ")
        case .greater: PostgreSQLFragment(" > ")
        case .greaterOrEqual: PostgreSQLFragment(" >= ")
        }
    }

    /// JSON text; everything that gets here was encoded once before.
    static func text(_ json: JSONValue) -> String {
        String(decoding: (try? json.encoded()) ?? [], as: UTF8.self)
    }
}
