internal import APNs
internal import PostgreSQL

extension PostgreSQLWhereCompiler {
    /// A value inside the attributes: a field, or an element of a field that is an array.
    private enum Source {
        case field([String])
        case element

        /// The value as JSON.
        ///
        /// Keys follow each other with `->`, which unlike a path never takes a key for an index into an array.
        var value: PostgreSQLFragment {
            switch self {
            case .field(let keys):
                var sql = PostgreSQLFragment("(i.attributes")
                for key in keys { sql.append(" -> ?", [.text(key)]) }
                sql.append(")")
                return sql
            case .element: return PostgreSQLFragment("e.value")
            }
        }

        /// The text of a value that is one.
        var text: PostgreSQLFragment {
            var sql = PostgreSQLFragment("(")
            sql.append(value)
            sql.append(" #>> '{}') COLLATE \"C\"")
            return sql
        }

        /// The number of a value that is one.
        var number: PostgreSQLFragment {
            var sql = value
            sql.append("::numeric")
            return sql
        }

        /// The text of a member of the value, which must be an object.
        func member(_ key: StaticString) -> PostgreSQLFragment {
            var sql = PostgreSQLFragment("(")
            sql.append(value)
            sql.append(" ->> '")
            sql.append(key)
            sql.append("')")
            return sql
        }

        /// The number of a member of the value; NULL when it is none.
        func degrees(_ key: StaticString) -> PostgreSQLFragment {
            var sql = PostgreSQLFragment("(CASE jsonb_typeof(")
            sql.append(value)
            sql.append(" -> '")
            sql.append(key)
            sql.append("') WHEN 'number' THEN ")
            sql.append(member(key))
            sql.append("::float8 END)")
            return sql
        }
    }

    /// A condition for values of one JSON type, as `jsonb_typeof` names it.
    private struct Branch {
        var type: StaticString
        var condition: (Source) -> PostgreSQLFragment
    }

    private static func type(of source: Source) -> PostgreSQLFragment {
        var sql = PostgreSQLFragment("jsonb_typeof(")
        sql.append(source.value)
        sql.append(")")
        return sql
    }

    static func attribute(_ keys: [String], _ test: WhereTest) -> PostgreSQLFragment {
        let field = Source.field(keys)
        switch test {
        case .isIn(let values): return attribute(keys, in: values)
        case .hasAll(let values):
            return values.isEmpty ? never : .grouped(values.map { attribute(keys, in: [$0]) }, by: " AND ")
        case .compares(let comparison, let value):
            let branches = branches(comparison, value)
            return branches.isEmpty ? never : anyOf(branches, of: keys)
        case .hasCount(let count):
            var sql = PostgreSQLFragment("CASE ")
            sql.append(type(of: field))
            sql.append(" WHEN 'array' THEN jsonb_array_length(")
            sql.append(field.value)
            sql.append(") = ? END", [.integer(count)])
            return sql
        case .exists:
            var sql = field.value
            sql.append(" IS NOT NULL")
            return sql
        case .matches: return never
        case .isNear(let place, let radiansMax):
            var sql = isPlace(keys)
            sql.append(distance(keys, place))
            if let radiansMax { sql.append(" <= ?", [.real(radiansMax)]) } else { sql.append(" IS NOT NULL") }
            sql.append(" END")
            return sql
        case .isWithin(let box): return within(field, box, keys)
        }
    }

    private static func isPlace(_ keys: [String]) -> PostgreSQLFragment {
        var sql = PostgreSQLFragment("CASE WHEN ")
        sql.append(Source.field(keys).member("__type"))
        sql.append(" = 'GeoPoint' THEN ")
        return sql
    }

    private static func within(_ field: Source, _ box: PlaceBox, _ keys: [String]) -> PostgreSQLFragment {
        var sql = isPlace(keys)
        sql.append(field.degrees("latitude"))
        sql.append(
            " BETWEEN ? AND ? AND (", [.real(box.southWest.latitude), .real(box.northEast.latitude)])
        sql.append(field.degrees("longitude"))
        sql.append(" >= ?", [.real(box.southWest.longitude)])
        sql.append(box.crossesDateLine ? " OR " : " AND ")
        sql.append(field.degrees("longitude"))
        sql.append(" <= ?) END", [.real(box.northEast.longitude)])
        return sql
    }

    /// The distance of the place a field holds from another one; NULL when it holds none.
    ///
    /// The same operations in the same order as ``Place/distanceRadians(to:)``: the places are swapped alike.
    static func distance(_ keys: [String], _ place: Place) -> PostgreSQLFragment {
        let field = Source.field(keys)
        var sql = PostgreSQLFragment(
            """
            (SELECT 2 * asin(least(1::float8, sqrt(greatest(0::float8, \
            g.north * g.north + cos(?::float8 * g.radian) * cos(g.latitude * g.radian) * g.east * g.east)))) \
            FROM (SELECT p.latitude, p.radian, sin((p.latitude - ?::float8) * p.radian / 2) AS north, \
            sin((p.longitude - ?::float8) * p.radian / 2) AS east FROM (SELECT \

            """, [.real(place.latitude), .real(place.latitude), .real(place.longitude)])
        sql.append(field.degrees("latitude"))
        sql.append(" AS latitude, ")
        sql.append(field.degrees("longitude"))
        sql.append(
            " AS longitude, pi() / 180 AS radian) AS p WHERE p.latitude IS NOT NULL AND p.longitude IS NOT NULL) AS g)"
        )
        return sql
    }

    /// Missing and null first, then numbers and truth values, then everything else by its text.
    static func sortKeys(_ field: WhereField) -> [PostgreSQLFragment] {
        switch field {
        case .builtIn(let field): return [expression(field)]
        case .channels: return [PostgreSQLFragment("i.channels")]
        case .interest(let tag):
            return [
                PostgreSQLFragment(
                    """
                    (SELECT s.score FROM installation_interests AS s \
                    WHERE s.tag = ? AND s.installation = i.number)
                    """, [.text(tag)])
            ]
        case .attribute(let keys):
            let source = Source.field(keys)
            var rank = PostgreSQLFragment("CASE ")
            rank.append(type(of: source))
            rank.append(
                " WHEN 'number' THEN 1 WHEN 'boolean' THEN 1 WHEN 'string' THEN 2 WHEN 'array' THEN 2 WHEN 'object' THEN 2 END"
            )
            var number = PostgreSQLFragment("CASE ")
            number.append(type(of: source))
            number.append(" WHEN 'number' THEN ")
            number.append(source.number)
            number.append(" WHEN 'boolean' THEN (")
            number.append(source.value)
            number.append("::boolean)::int::numeric END")
            return [rank, number, source.text]
        }
    }

    // MARK: - Branches by type

    /// A field that is, or an array that has, a value one of the branches takes.
    private static func anyOf(
        _ branches: [Branch], of keys: [String], wholeArray: PostgreSQLFragment? = nil
    ) -> PostgreSQLFragment {
        let field = Source.field(keys)
        var sql = PostgreSQLFragment("CASE ")
        sql.append(type(of: field))
        for branch in branches where branch.type.description != "array" {
            append(branch, field, to: &sql)
        }
        sql.append(" WHEN 'array' THEN ")
        if let wholeArray {
            sql.append(wholeArray)
            sql.append(" OR ")
        }
        sql.append("EXISTS (SELECT 1 FROM jsonb_array_elements(")
        sql.append(field.value)
        sql.append(") AS e(value) WHERE CASE ")
        sql.append(type(of: .element))
        for branch in branches { append(branch, .element, to: &sql) }
        sql.append(" END) END")
        return sql
    }

    private static func append(_ branch: Branch, _ source: Source, to sql: inout PostgreSQLFragment) {
        sql.append(" WHEN '")
        sql.append(branch.type)
        sql.append("' THEN ")
        sql.append(branch.condition(source))
    }

    private static func branches(_ comparison: WhereComparison, _ value: WhereValue) -> [Branch] {
        func compare(_ source: PostgreSQLFragment, _ bound: PostgreSQLFragment) -> PostgreSQLFragment {
            var sql = source
            sql.append(self.comparison(comparison))
            sql.append(bound)
            return sql
        }
        switch value {
        case .integer(let integer):
            return [
                Branch(type: "number") { compare($0.number, PostgreSQLFragment("?", [.integer(integer)])) }
            ]
        case .number(let number): return [Branch(type: "number") { compare($0.number, fraction(number)) }]
        case .string(let text):
            return [Branch(type: "string") { compare($0.text, PostgreSQLFragment("?", [.text(text)])) }]
        case .date(let milliseconds):
            return [
                Branch(type: "object") {
                    compare(date($0), PostgreSQLFragment("?", [.integer(milliseconds)]))
                }
            ]
        default: return []
        }
    }

    /// The milliseconds of a Date, NULL for any other object.
    private static func date(_ source: Source) -> PostgreSQLFragment {
        var sql = PostgreSQLFragment("CASE WHEN ")
        sql.append(source.member("__type"))
        sql.append(" = 'Date' AND jsonb_typeof(")
        sql.append(source.value)
        sql.append(" -> 'iso') = 'string' THEN belfry_milliseconds(")
        sql.append(source.member("iso"))
        sql.append(") END")
        return sql
    }

    /// `className:objectId` of a Pointer, NULL for any other object.
    private static func pointer(_ source: Source) -> PostgreSQLFragment {
        var sql = PostgreSQLFragment("CASE ")
        sql.append(source.member("__type"))
        sql.append(" WHEN 'Pointer' THEN (")
        sql.append(source.member("className"))
        sql.append(" || ':' || ")
        sql.append(source.member("objectId"))
        sql.append(") COLLATE \"C\" END")
        return sql
    }

    private static func attribute(_ keys: [String], in values: [WhereValue]) -> PostgreSQLFragment {
        let groups = PostgreSQLValueGroups(values)
        var branches: [Branch] = []
        if groups.hasNull { branches.append(Branch(type: "null") { _ in always }) }
        if !groups.bools.isEmpty {
            branches.append(
                Branch(type: "boolean") { source in
                    var sql = source.value
                    sql.append("::boolean = ANY(?)", [.booleans(groups.bools)])
                    return sql
                })
        }
        if !groups.numbers.isEmpty {
            branches.append(
                Branch(type: "number") { source in
                    var sql = source.number
                    sql.append(" = ANY(?::text[]::numeric[])", [.texts(groups.numbers)])
                    return sql
                })
        }
        if !groups.strings.isEmpty {
            branches.append(Branch(type: "string") { list($0.text, groups.strings) })
        }
        if !(groups.dates.isEmpty && groups.pointers.isEmpty && groups.objects.isEmpty) {
            branches.append(
                Branch(type: "object") { source in
                    var alternatives: [PostgreSQLFragment] = []
                    if !groups.dates.isEmpty {
                        var sql = date(source)
                        sql.append(" = ANY(?)", [.integers(groups.dates)])
                        alternatives.append(sql)
                    }
                    if !groups.pointers.isEmpty {
                        alternatives.append(list(pointer(source), groups.pointers))
                    }
                    if !groups.objects.isEmpty {
                        alternatives.append(structures(source.value, groups.objects))
                    }
                    return .grouped(alternatives, by: " OR ")
                })
        }
        var wholeArray: PostgreSQLFragment?
        if !groups.arrays.isEmpty {
            branches.append(Branch(type: "array") { structures($0.value, groups.arrays) })
            wholeArray = structures(Source.field(keys).value, groups.arrays)
        }
        guard !branches.isEmpty else { return never }
        let present = anyOf(branches, of: keys, wholeArray: wholeArray)
        guard groups.hasNull else { return present }
        var sql = PostgreSQLFragment("(")
        sql.append(Source.field(keys).value)
        sql.append(" IS NULL OR ")
        sql.append(present)
        sql.append(")")
        return sql
    }

    private static func list(_ source: PostgreSQLFragment, _ texts: [String]) -> PostgreSQLFragment {
        var sql = source
        sql.append(" = ANY(?)", [.texts(texts)])
        return sql
    }

    private static func structures(_ source: PostgreSQLFragment, _ texts: [String]) -> PostgreSQLFragment {
        var sql = source
        sql.append(" = ANY(?::text[]::jsonb[])", [.texts(texts)])
        return sql
    }
}

/// The values of a list by what they are stored as.
private struct PostgreSQLValueGroups {
    var hasNull = false
    var bools: [Bool] = []
    var numbers: [String] = []
    var strings: [String] = []
    var dates: [Int64] = []
    var pointers: [String] = []
    var objects: [String] = []
    var arrays: [String] = []

    init(_ values: [WhereValue]) {
        for value in values {
            switch value {
            case .null: hasNull = true
            case .bool(let bool): bools.append(bool)
            case .integer(let integer): numbers.append("\(integer)")
            case .number(let number): numbers.append(PostgreSQLWhereCompiler.text(.number(number)))
            case .string(let text): strings.append(text)
            case .date(let milliseconds): dates.append(milliseconds)
            case .pointer(let className, let objectID): pointers.append("\(className):\(objectID)")
            case .structure(let text):
                if text.utf8.first == 0x5b { arrays.append(text) } else { objects.append(text) }
            }
        }
    }
}
