internal import APNs
internal import PostgreSQL

extension PostgreSQLWhereCompiler {
    /// The column of a field, or the expression that is what the REST API shows.
    static func expression(_ field: WhereField.BuiltIn) -> PostgreSQLFragment {
        switch field {
        case .objectID: PostgreSQLFragment("i.object_id")
        case .deviceType: PostgreSQLFragment("i.device_type")
        case .deviceToken: PostgreSQLFragment("i.device_token")
        case .installationID: PostgreSQLFragment("i.installation_id")
        case .apnsTopic: PostgreSQLFragment("i.apns_topic")
        case .apnsTeamID: PostgreSQLFragment("i.apns_team_id")
        case .deviceProfile: PostgreSQLFragment("i.device_profile")
        case .timeZone: PostgreSQLFragment("i.time_zone")
        case .badge: PostgreSQLFragment("i.badge")
        case .isValid: PostgreSQLFragment("i.valid")
        case .environment:
            PostgreSQLFragment(
                "(CASE i.environment WHEN 1 THEN 'production' WHEN 2 THEN 'sandbox' END) COLLATE \"C\"")
        case .createdAt: PostgreSQLFragment("i.created_at")
        case .updatedAt: PostgreSQLFragment("i.updated_at")
        }
    }

    func column(_ field: WhereField.BuiltIn, _ test: WhereTest) -> PostgreSQLFragment {
        var sql = Self.expression(field)
        switch test {
        case .isIn(let values): return Self.column(field, in: values)
        case .hasAll(let values):
            let all = values.map { Self.column(field, in: [$0]) }
            return all.isEmpty ? Self.never : .grouped(all, by: " AND ")
        case .compares(let comparison, let value):
            guard let bound = Self.bound(value, as: field.kind) else { return Self.never }
            sql.append(Self.comparison(comparison))
            sql.append(bound)
            return sql
        case .exists:
            guard field.kind == .text else { return Self.always }
            sql.append(" IS NOT NULL")
            return sql
        case .hasCount, .isNear, .isWithin, .matches: return Self.never
        }
    }

    private static func column(_ field: WhereField.BuiltIn, in values: [WhereValue]) -> PostgreSQLFragment {
        var alternatives: [PostgreSQLFragment] = []
        var list: Value?
        switch field.kind {
        case .text:
            if values.contains(.null) {
                var sql = expression(field)
                sql.append(" IS NULL")
                alternatives.append(sql)
            }
            let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            if !texts.isEmpty { list = .texts(texts) }
        case .integer:
            let integers = values.compactMap { if case .integer(let integer) = $0 { integer } else { nil } }
            if !integers.isEmpty { list = .integers(integers) }
        case .date:
            let dates = values.compactMap { if case .date(let date) = $0 { date } else { nil } }
            if !dates.isEmpty { list = .integers(dates) }
        case .bool:
            let bools = values.compactMap { if case .bool(let bool) = $0 { bool } else { nil } }
            if !bools.isEmpty { list = .booleans(bools) }
        }
        if let list {
            var sql = expression(field)
            sql.append(" = ANY(?)", [list])
            alternatives.append(sql)
        }
        return alternatives.isEmpty ? never : .grouped(alternatives, by: " OR ")
    }

    /// A value as a column of a kind is compared with; nil when it is in no order to one.
    private static func bound(_ value: WhereValue, as kind: WhereField.Kind) -> PostgreSQLFragment? {
        switch (kind, value) {
        case (.text, .string(let text)): PostgreSQLFragment("?", [.text(text)])
        case (.integer, .integer(let integer)): PostgreSQLFragment("?", [.integer(integer)])
        case (.integer, .number(let number)): fraction(number)
        case (.bool, .bool(let bool)): PostgreSQLFragment("?", [.boolean(bool)])
        case (.date, .date(let milliseconds)): PostgreSQLFragment("?", [.integer(milliseconds)])
        default: nil
        }
    }

    /// A number with all its digits.
    static func fraction(_ number: Double) -> PostgreSQLFragment {
        PostgreSQLFragment("?::numeric", [.text(text(.number(number)))])
    }
}
