internal import APNs
internal import SQLite

extension SQLiteWhereCompiler {
    /// The column of a field, or the expression that is what the REST API shows.
    static func expression(_ field: WhereField.BuiltIn) -> SQLFragment {
        switch field {
        case .objectID: SQLFragment("i.object_id")
        case .deviceType: SQLFragment("i.device_type")
        case .deviceToken: SQLFragment("i.device_token")
        case .installationID: SQLFragment("i.installation_id")
        case .apnsTopic: SQLFragment("i.apns_topic")
        case .apnsTeamID: SQLFragment("i.apns_team_id")
        case .deviceProfile: SQLFragment("i.device_profile")
        case .timeZone: SQLFragment("i.time_zone")
        case .badge: SQLFragment("i.badge")
        case .isValid: SQLFragment("i.valid")
        case .environment:
            SQLFragment("CASE i.environment WHEN 1 THEN 'production' WHEN 2 THEN 'sandbox' END")
        case .createdAt: SQLFragment("i.created_at")
        case .updatedAt: SQLFragment("i.updated_at")
        }
    }

    func column(_ field: WhereField.BuiltIn, _ test: WhereTest) -> SQLFragment {
        var sql = Self.expression(field)
        switch test {
        case .isIn(let values): return Self.column(field, in: values)
        case .hasAll(let values):
            let all = values.map { Self.column(field, in: [$0]) }
            return all.isEmpty ? Self.never : .grouped(all, by: " AND ")
        case .compares(let comparison, let value):
            guard let bound = Self.bound(value, as: field.kind) else { return Self.never }
            sql.append(Self.comparison(comparison))
            sql.append("?", [bound])
            return sql
        case .exists:
            guard field.kind == .text else { return Self.always }
            sql.append(" IS NOT NULL")
            return sql
        case .matches(let expression):
            guard field.kind == .text else { return Self.never }
            var call = SQLFragment(
                "belfry_regex(?, ?, ", [.text(expression.pattern), .text(expression.options)])
            call.append(sql)
            call.append(")")
            return call
        case .hasCount, .isNear, .isWithin: return Self.never
        }
    }

    private static func column(_ field: WhereField.BuiltIn, in values: [WhereValue]) -> SQLFragment {
        var alternatives: [SQLFragment] = []
        var bounds: [Value] = []
        for value in values {
            if value == .null, field.kind == .text {
                var sql = expression(field)
                sql.append(" IS NULL")
                alternatives.append(sql)
            } else if let bound = bound(value, as: field.kind), !isFraction(bound) {
                bounds.append(bound)
            }
        }
        if field == .environment {
            // Only these two are ever stored, as numbers, which an index of the column serves.
            bounds = bounds.compactMap { bound in
                switch bound {
                case .text("production"): .integer(1)
                case .text("sandbox"): .integer(2)
                default: nil
                }
            }
        }
        if !bounds.isEmpty {
            var sql = field == .environment ? SQLFragment("i.environment") : expression(field)
            sql.append(membership(bounds, json: bounds.map(json)))
            alternatives.append(sql)
        }
        return alternatives.isEmpty ? never : .grouped(alternatives, by: " OR ")
    }

    /// A value as a column of a kind holds it; nil when it never equals one and is in no order to one.
    private static func bound(_ value: WhereValue, as kind: WhereField.Kind) -> Value? {
        switch (kind, value) {
        case (.text, .string(let text)): .text(text)
        case (.integer, .integer(let integer)): .integer(integer)
        case (.integer, .number(let number)): .real(number)
        case (.bool, .bool(let bool)): Value(bool)
        case (.date, .date(let milliseconds)): .integer(milliseconds)
        default: nil
        }
    }

    private static func isFraction(_ value: Value) -> Bool {
        if case .real = value { true } else { false }
    }

    private static func json(_ value: Value) -> JSONValue {
        switch value {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        default: .null
        }
    }
}
