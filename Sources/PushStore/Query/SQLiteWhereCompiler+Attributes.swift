internal import APNs
internal import SQLite

extension SQLiteWhereCompiler {
    /// A value inside the attributes: a field, or an element of a field that is an array.
    private enum Source {
        case field([String])
        case element

        var value: SQLFragment {
            switch self {
            case .field(let keys): SQLFragment("json_extract(i.attributes, ?)", [path(keys)])
            case .element: SQLFragment("e.value")
            }
        }

        /// A member of the value, which must be an object.
        func member(_ key: String) -> SQLFragment {
            switch self {
            case .field(let keys): SQLFragment("json_extract(i.attributes, ?)", [path(keys + [key])])
            case .element: SQLFragment("json_extract(e.value, ?)", [path([key])])
            }
        }
    }

    /// A condition for values of one JSON type, as `json_type` names it.
    private struct Branch {
        var type: StaticString
        var condition: (Source) -> SQLFragment
    }

    /// Keys have no character that would end the quotation; the path is bound all the same.
    private static func path(_ keys: [String]) -> Value {
        .text("$" + keys.map { ".\"\($0)\"" }.joined())
    }

    static func attribute(_ keys: [String], _ test: WhereTest) -> SQLFragment {
        switch test {
        case .isIn(let values): return attribute(keys, in: values)
        case .hasAll(let values):
            return values.isEmpty ? never : .grouped(values.map { attribute(keys, in: [$0]) }, by: " AND ")
        case .compares(let comparison, let value):
            return anyOf(branches(comparison, value), of: keys)
        case .hasCount(let count):
            return SQLFragment(
                """
                CASE json_type(i.attributes, ?) \
                WHEN 'array' THEN json_array_length(i.attributes, ?) = ? END
                """, [path(keys), path(keys), .integer(count)])
        case .exists: return SQLFragment("json_type(i.attributes, ?) IS NOT NULL", [path(keys)])
        case .matches(let expression):
            let branch = Branch(type: "text") { source in
                var sql = SQLFragment(
                    "belfry_regex(?, ?, ", [.text(expression.pattern), .text(expression.options)])
                sql.append(source.value)
                sql.append(")")
                return sql
            }
            return anyOf([branch], of: keys)
        case .isNear(let place, let radiansMax):
            var sql = isPlace(keys)
            sql.append(distance(keys, place))
            if let radiansMax { sql.append(" <= ?", [.real(radiansMax)]) } else { sql.append(" IS NOT NULL") }
            sql.append(" END")
            return sql
        case .isWithin(let box):
            var sql = isPlace(keys)
            sql.append("belfry_is_within(")
            sql.append(Source.field(keys).member("latitude"))
            sql.append(", ")
            sql.append(Source.field(keys).member("longitude"))
            sql.append(
                ", ?, ?, ?, ?) END",
                [
                    .real(box.southWest.latitude), .real(box.southWest.longitude),
                    .real(box.northEast.latitude), .real(box.northEast.longitude),
                ])
            return sql
        }
    }

    private static func isPlace(_ keys: [String]) -> SQLFragment {
        var sql = SQLFragment("CASE WHEN ")
        sql.append(Source.field(keys).member("__type"))
        sql.append(" = 'GeoPoint' THEN ")
        return sql
    }

    /// The distance of the place a field holds from another one; NULL when it holds none.
    static func distance(_ keys: [String], _ place: Place) -> SQLFragment {
        var sql = SQLFragment("belfry_distance_radians(")
        sql.append(Source.field(keys).member("latitude"))
        sql.append(", ")
        sql.append(Source.field(keys).member("longitude"))
        sql.append(", ?, ?)", [.real(place.latitude), .real(place.longitude)])
        return sql
    }

    static func sortKey(_ field: WhereField) -> SQLFragment {
        switch field {
        case .builtIn(let field): expression(field)
        case .channels: SQLFragment("i.channels")
        case .interest(let tag):
            SQLFragment(
                """
                (SELECT s.score FROM installation_interests AS s \
                WHERE s.app = i.app AND s.tag = ? AND s.installation = i.number)
                """, [.text(tag)])
        case .attribute(let keys): Source.field(keys).value
        }
    }

    // MARK: - Branches by type

    /// A field that is, or an array that has, a value one of the branches takes.
    private static func anyOf(
        _ branches: [Branch], of keys: [String], wholeArray: SQLFragment? = nil
    ) -> SQLFragment {
        var sql = SQLFragment("CASE json_type(i.attributes, ?)", [path(keys)])
        for branch in branches where branch.type.description != "array" {
            append(branch, .field(keys), to: &sql)
        }
        sql.append(" WHEN 'array' THEN ")
        if let wholeArray {
            sql.append(wholeArray)
            sql.append(" OR ")
        }
        sql.append("EXISTS (SELECT 1 FROM json_each(i.attributes, ?) AS e WHERE CASE e.type", [path(keys)])
        for branch in branches { append(branch, .element, to: &sql) }
        sql.append(" END) END")
        return sql
    }

    private static func append(_ branch: Branch, _ source: Source, to sql: inout SQLFragment) {
        sql.append(" WHEN '")
        sql.append(branch.type)
        sql.append("' THEN ")
        sql.append(branch.condition(source))
    }

    private static func branches(_ comparison: WhereComparison, _ value: WhereValue) -> [Branch] {
        func compare(_ source: SQLFragment, _ bound: SQLFragment) -> SQLFragment {
            var sql = source
            sql.append(self.comparison(comparison))
            sql.append(bound)
            return sql
        }
        switch value {
        case .integer(let integer):
            return numeric { compare($0.value, SQLFragment("?", [.integer(integer)])) }
        case .number(let number): return numeric { compare($0.value, fraction(number)) }
        case .string(let text):
            return [Branch(type: "text") { compare($0.value, SQLFragment("?", [.text(text)])) }]
        case .date(let milliseconds):
            return [
                Branch(type: "object") { compare(date($0), SQLFragment("?", [.integer(milliseconds)])) }
            ]
        default: return []
        }
    }

    private static func numeric(_ condition: @escaping (Source) -> SQLFragment) -> [Branch] {
        [Branch(type: "integer", condition: condition), Branch(type: "real", condition: condition)]
    }

    /// A number read by the database itself, for it may round the stored text another way than Swift does.
    private static func fraction(_ number: Double) -> SQLFragment {
        SQLFragment("json_extract(?, '$')", [.text(text(.number(number)))])
    }

    /// The milliseconds of a Date, NULL for any other object.
    private static func date(_ source: Source) -> SQLFragment {
        var sql = SQLFragment("CASE ")
        sql.append(source.member("__type"))
        sql.append(" WHEN 'Date' THEN belfry_milliseconds(")
        sql.append(source.member("iso"))
        sql.append(") END")
        return sql
    }

    /// `className:objectId` of a Pointer, NULL for any other object.
    private static func pointer(_ source: Source) -> SQLFragment {
        var sql = SQLFragment("CASE ")
        sql.append(source.member("__type"))
        sql.append(" WHEN 'Pointer' THEN ")
        sql.append(source.member("className"))
        sql.append(" || ':' || ")
        sql.append(source.member("objectId"))
        sql.append(" END")
        return sql
    }

    private static func attribute(_ keys: [String], in values: [WhereValue]) -> SQLFragment {
        let groups = ValueGroups(values)
        var branches: [Branch] = []
        if groups.hasNull { branches.append(Branch(type: "null") { _ in always }) }
        for type in groups.bools { branches.append(Branch(type: type) { _ in always }) }
        if !groups.numbers.isEmpty {
            branches += numeric { source in
                var sql = source.value
                if groups.numbers.count == 1, case .number(let number) = groups.numbers[0] {
                    sql.append(" = ")
                    sql.append(fraction(number))
                } else if groups.numbers.count == 1, case .integer(let integer) = groups.numbers[0] {
                    sql.append(" = ?", [.integer(integer)])
                } else {
                    sql.append(
                        " IN (SELECT value FROM json_each(?))", [.text(text(.array(groups.numbers)))])
                }
                return sql
            }
        }
        if !groups.strings.isEmpty {
            branches.append(Branch(type: "text") { list($0.value, groups.strings) })
        }
        if !(groups.dates.isEmpty && groups.pointers.isEmpty && groups.objects.isEmpty) {
            branches.append(
                Branch(type: "object") { source in
                    var alternatives: [SQLFragment] = []
                    if !groups.dates.isEmpty {
                        var sql = date(source)
                        sql.append(
                            membership(
                                groups.dates.map { .integer($0) }, json: groups.dates.map { .integer($0) }))
                        alternatives.append(sql)
                    }
                    if !groups.pointers.isEmpty {
                        alternatives.append(list(pointer(source), groups.pointers))
                    }
                    if !groups.objects.isEmpty { alternatives.append(list(source.value, groups.objects)) }
                    return .grouped(alternatives, by: " OR ")
                })
        }
        var wholeArray: SQLFragment?
        if !groups.arrays.isEmpty {
            branches.append(Branch(type: "array") { list($0.value, groups.arrays) })
            wholeArray = list(Source.field(keys).value, groups.arrays)
        }
        guard !branches.isEmpty else { return never }
        let present = anyOf(branches, of: keys, wholeArray: wholeArray)
        guard groups.hasNull else { return present }
        var sql = SQLFragment("(json_type(i.attributes, ?) IS NULL OR ", [path(keys)])
        sql.append(present)
        sql.append(")")
        return sql
    }

    private static func list(_ source: SQLFragment, _ texts: [String]) -> SQLFragment {
        var sql = source
        sql.append(membership(texts.map { .text($0) }, json: texts.map { .string($0) }))
        return sql
    }
}

/// The values of a list by what they are stored as.
private struct ValueGroups {
    var hasNull = false
    var bools: [StaticString] = []
    var numbers: [JSONValue] = []
    var strings: [String] = []
    var dates: [Int64] = []
    var pointers: [String] = []
    var objects: [String] = []
    var arrays: [String] = []

    init(_ values: [WhereValue]) {
        for value in values {
            switch value {
            case .null: hasNull = true
            case .bool(let bool): if !hasBool(bool) { bools.append(bool ? "true" : "false") }
            case .integer(let integer): numbers.append(.integer(integer))
            case .number(let number): numbers.append(.number(number))
            case .string(let text): strings.append(text)
            case .date(let milliseconds): dates.append(milliseconds)
            case .pointer(let className, let objectID): pointers.append("\(className):\(objectID)")
            case .structure(let text):
                if text.utf8.first == 0x5b { arrays.append(text) } else { objects.append(text) }
            }
        }
    }

    private func hasBool(_ bool: Bool) -> Bool {
        bools.contains { $0.description == (bool ? "true" : "false") }
    }
}
