internal import APNs

/// Reads the JSON of a `where` and counts what it asks for.
struct WhereParser {
    private var conditionCount = 0

    // MARK: - Clauses

    mutating func clause(_ json: JSONValue, depth: Int) throws(ChangeError) -> WhereNode {
        switch json {
        case .object(let members):
            var nodes: [WhereNode] = []
            for (key, value) in WhereParser.sorted(members) {
                nodes.append(
                    key.utf8.first == 0x24
                        ? try combination(key, value, depth: depth + 1)
                        : try field(WhereField(key), value, depth: depth))
            }
            return nodes.count == 1 ? nodes[0] : .all(nodes)
        case .array(let values):
            return .all(try clauses(values, name: "where", depth: depth + 1))
        default:
            throw ChangeError(code: 107, "where: \(json.kind) was found, an object is needed")
        }
    }

    private mutating func combination(
        _ name: String, _ operand: JSONValue, depth: Int
    ) throws(ChangeError) -> WhereNode {
        switch name {
        case "$and": return .all(try clauses(try WhereParser.list(operand, name), name: name, depth: depth))
        case "$or": return .any(try clauses(try WhereParser.list(operand, name), name: name, depth: depth))
        case "$nor":
            return .not(.any(try clauses(try WhereParser.list(operand, name), name: name, depth: depth)))
        case "$not":
            try WhereParser.check(depth: depth)
            return .not(try clause(operand, depth: depth))
        case "$relatedTo":
            throw ChangeError(
                code: 304,
                "$relatedTo: relations lead to other classes, and only _Installation lives here; add a channel "
                    + "to the installations that belong together and ask for it")
        default:
            throw ChangeError(
                code: 304,
                "the operator \(WhereValue.shown(name)) was found beside fields; $and, $or, $nor and $not are "
                    + "allowed")
        }
    }

    private mutating func clauses(
        _ values: [JSONValue], name: String, depth: Int
    ) throws(ChangeError) -> [WhereNode] {
        try WhereParser.check(depth: depth)
        guard !values.isEmpty else {
            throw ChangeError(
                code: 107, "\(name): an empty array was found, at least one condition is needed")
        }
        var nodes: [WhereNode] = []
        for value in values {
            try count(1)
            guard case .object = value else {
                throw ChangeError(code: 107, "\(name): \(value.kind) was found, its elements must be objects")
            }
            nodes.append(try clause(value, depth: depth))
        }
        return nodes
    }

    // MARK: - Fields

    private mutating func field(
        _ field: WhereField, _ operand: JSONValue, depth: Int
    ) throws(ChangeError) -> WhereNode {
        if case .object(let members) = operand, members.keys.contains(where: { $0.utf8.first == 0x24 }) {
            return try operators(members, on: field, depth: depth)
        }
        if case .array(let values) = operand, !values.isEmpty, values.allSatisfy(WhereParser.isOperators) {
            try WhereParser.check(depth: depth + 1)
            var nodes: [WhereNode] = []
            for case .object(let members) in values {
                nodes.append(try operators(members, on: field, depth: depth + 1))
            }
            return .all(nodes)
        }
        return try equality(field, operand, name: "$eq", isNegated: false)
    }

    private mutating func operators(
        _ members: [String: JSONValue], on field: WhereField, depth: Int
    ) throws(ChangeError) -> WhereNode {
        var nodes: [WhereNode] = []
        for (name, operand) in WhereParser.sorted(members) {
            guard name.utf8.first == 0x24 else {
                throw ChangeError(
                    code: 304, "\(field.path): the key \(WhereValue.shown(name)) stands among operators")
            }
            if WhereParser.companions[name] != nil {
                let isUsed = WhereParser.companions[name]?.contains { members[$0] != nil } ?? false
                guard isUsed else {
                    throw ChangeError(code: 304, "\(field.path): \(name) stands alone")
                }
                continue
            }
            nodes.append(
                try condition(name, operand, beside: members, on: field, depth: depth))
        }
        return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    private mutating func condition(
        _ name: String, _ operand: JSONValue, beside members: [String: JSONValue], on field: WhereField,
        depth: Int
    ) throws(ChangeError) -> WhereNode {
        let path = "\(field.path): \(name)"
        switch name {
        case "$eq": return try equality(field, operand, name: name, isNegated: false)
        case "$ne": return try equality(field, operand, name: name, isNegated: true)
        case "$lt", "$lte", "$gt", "$gte":
            guard let comparison = WhereComparison(rawValue: name) else { break }
            return try make(field, .compares(comparison, try ordered(operand, field, path)), name, operand)
        case "$in", "$nin":
            let test = WhereTest.isIn(try values(operand, field, path, countMax: WhereClause.listCountMax))
            return try make(field, test, name, operand, isNegated: name == "$nin")
        case "$all":
            let values = try values(operand, field, path, countMax: WhereClause.conditionCountMax)
            try count(values.count)
            return try make(field, .hasAll(values), name, operand)
        case "$size":
            guard case .integer(let count) = operand, count >= 0 else {
                throw ChangeError(
                    code: 111, "\(path): \(WhereValue.described(operand)) was found, a length is needed")
            }
            return try make(field, .hasCount(count), name, operand)
        case "$exists":
            guard case .bool(let isThere) = operand else {
                throw ChangeError(code: 111, "\(path): \(operand.kind) was found, true or false is needed")
            }
            return try make(field, .exists, name, operand, isNegated: !isThere)
        case "$regex":
            return try make(
                field, .matches(try expression(operand, members["$options"], path)), name, operand)
        case "$not":
            try WhereParser.check(depth: depth + 1)
            guard case .object(let inner) = operand, WhereParser.isOperators(operand) else {
                throw ChangeError(code: 304, "\(path): \(operand.kind) was found, operators are needed")
            }
            return .not(try operators(inner, on: field, depth: depth + 1))
        case "$nearSphere":
            let test = WhereTest.isNear(
                try Place(operand, of: path), radiansMax: try WhereParser.radians(members, path))
            return try make(field, test, name, operand)
        case "$within":
            return try make(field, .isWithin(try WhereParser.box(operand, path)), name, operand)
        case "$inQuery", "$notInQuery", "$select", "$dontSelect":
            throw ChangeError(code: 304, WhereParser.foreignQuery(name, operand, field))
        default: break
        }
        throw ChangeError(
            code: 304,
            "\(field.path): the operator \(WhereValue.shown(name)) was found; $ne, $lt, $lte, $gt, $gte, $in, $nin, "
                + "$all, $size, $exists, $regex, $not, $nearSphere and $within are allowed")
    }

    private mutating func equality(
        _ field: WhereField, _ operand: JSONValue, name: String, isNegated: Bool
    ) throws(ChangeError) -> WhereNode {
        let value = try WhereParser.value(operand, field, field.path)
        return try make(field, .isIn([value]), name, operand, isNegated: isNegated)
    }

    private mutating func make(
        _ field: WhereField, _ test: WhereTest, _ name: String, _ expected: JSONValue, isNegated: Bool = false
    ) throws(ChangeError) -> WhereNode {
        try count(1)
        if case .interest = field {
            switch test {
            case .compares, .exists: break
            default:
                throw ChangeError(
                    code: 304,
                    "\(field.path): an interest fades by the second; $lt, $lte, $gt, $gte and $exists are allowed, "
                        + "\(name) was found")
            }
        }
        return .condition(
            WhereCondition(field: field, test: test, isNegated: isNegated, name: name, expected: expected))
    }

    // MARK: - Limits

    private mutating func count(_ count: Int) throws(ChangeError) {
        conditionCount += count
        guard conditionCount <= WhereClause.conditionCountMax else {
            throw ChangeError(
                code: 107, "where has more than \(WhereClause.conditionCountMax) conditions")
        }
    }

    private static func check(depth: Int) throws(ChangeError) {
        guard depth <= WhereClause.depthMax else {
            throw ChangeError(code: 107, "where nests deeper than \(WhereClause.depthMax) levels")
        }
    }

    /// Members in an order of their own, so that the same clause always gives the same SQL.
    private static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private static func isOperators(_ json: JSONValue) -> Bool {
        guard case .object(let members) = json else { return false }
        return members.keys.contains { $0.utf8.first == 0x24 }
    }
}
