internal import APNs

/// The parts of a condition.
package indirect enum WhereNode: Sendable {
    /// All hold; true when there are none.
    case all([WhereNode])
    /// At least one holds.
    case any([WhereNode])
    /// It does not hold.
    case not(WhereNode)
    /// One operator on one field.
    case condition(WhereCondition)

    /// All conditions in it, wherever they stand.
    var conditions: [WhereCondition] {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.flatMap(\.conditions)
        case .not(let node): node.conditions
        case .condition(let condition): [condition]
        }
    }

    /// How many levels of nodes it is.
    var depth: Int {
        switch self {
        case .all(let nodes), .any(let nodes): 1 + (nodes.map(\.depth).max() ?? 0)
        case .not(let node): 1 + node.depth
        case .condition: 0
        }
    }
}

/// One operator on one field.
package struct WhereCondition: Sendable {
    var field: WhereField
    var test: WhereTest
    /// Whether the test must fail, as for `$ne`, `$nin` and `$exists: false`.
    var isNegated = false
    /// The operator as it was written; `$eq` for a plain value.
    var name: String
    /// The operand as it was written.
    var expected: JSONValue
}

/// What is asked of a field.
enum WhereTest: Sendable {
    /// It is one of these values, or an array that has one of them.
    case isIn([WhereValue])
    /// It is an array that has all of these values.
    case hasAll([WhereValue])
    /// It, or an element of it, is on that side of a number, text or date.
    case compares(WhereComparison, WhereValue)
    /// It is an array of that length.
    case hasCount(Int64)
    /// It is there, be it null.
    case exists
    /// It, or an element of it, is a text the expression matches.
    case matches(RegularExpression)
    /// It is a place at most so far from another.
    case isNear(Place, radiansMax: Double?)
    /// It is a place inside a box.
    case isWithin(PlaceBox)

    var isRegularExpression: Bool { if case .matches = self { true } else { false } }
}

/// Which side of a value another one has to be on.
enum WhereComparison: String, Sendable {
    case less = "$lt"
    case lessOrEqual = "$lte"
    case greater = "$gt"
    case greaterOrEqual = "$gte"

    /// The operator in SQL.
    var sql: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }

    /// Whether two comparable values are in that order.
    func holds<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}
