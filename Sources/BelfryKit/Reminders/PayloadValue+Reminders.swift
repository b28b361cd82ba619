extension PayloadValue {
    /// Whether a request can carry it: the system archives property lists, which have no null, and JSON has no infinity.
    var isPropertyList: Bool {
        switch self {
        case .null: false
        case .number(let value): value.isFinite
        case .array(let values): values.allSatisfy(\.isPropertyList)
        case .object(let members): members.values.allSatisfy(\.isPropertyList)
        case .bool, .integer, .string: true
        }
    }
}

extension StableHash {
    /// Adds a value, an object's members in the order of their names.
    mutating func combine(payload value: PayloadValue) {
        switch value {
        case .null: combine("z")
        case .bool(let value): combine(value ? "t" : "f")
        case .integer(let value): combine("i\(value)")
        case .number(let value): combine("n\(value)")
        case .string(let value): combine("s" + value)
        case .array(let values):
            combine("a\(values.count)")
            for value in values { combine(payload: value) }
        case .object(let members):
            combine("o\(members.count)")
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                combine(name)
                combine(payload: member)
            }
        }
    }
}
