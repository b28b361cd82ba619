internal import APNs

/// What a change does with one field.
///
/// It is set, or one of LeanCloud's update operators is done (LeanCloud: REST API guide, Updating objects); `Batch`
/// is as many operators in order.
enum ObjectOperation: Sendable, Hashable {
    case set(JSONValue)
    case delete
    /// `Increment`, and `Decrement` with the sign turned.
    case increment(JSONValue, isDecrement: Bool)
    case add([JSONValue])
    case addUnique([JSONValue])
    case remove([JSONValue])
    case bits(BitOperator, Int64)
    case addRelation([JSONValue])
    case removeRelation([JSONValue])

    enum BitOperator: String, Sendable, Hashable {
        case and = "BitAnd"
        case or = "BitOr"
        case xor = "BitXor"
    }

    /// The most operators of one `Batch`.
    static let batchCountMax = 100

    /// Reads what a request's body has for a field.
    static func parse(_ value: JSONValue, key: String) throws(ChangeError) -> [ObjectOperation] {
        guard case .object(let members) = value, let name = members["__op"] else { return [.set(value)] }
        guard case .string(let name) = name else {
            throw ChangeError(code: 111, "\(key): __op is \(name.kind), the name of an operator is needed")
        }
        switch name {
        case "Delete": return [.delete]
        case "Increment", "Decrement":
            let amount = members["amount"] ?? .integer(1)
            switch amount {
            case .integer, .number: break
            default: throw ChangeError(code: 111, "\(key): amount is \(amount.kind), a number is needed")
            }
            return [.increment(amount, isDecrement: name == "Decrement")]
        case "Add": return [.add(try objects(members, key))]
        case "AddUnique": return [.addUnique(try objects(members, key))]
        case "Remove": return [.remove(try objects(members, key))]
        case "AddRelation": return [.addRelation(try objects(members, key))]
        case "RemoveRelation": return [.removeRelation(try objects(members, key))]
        case "BitAnd", "BitOr", "BitXor":
            guard case .integer(let bits)? = members["value"], let bit = BitOperator(rawValue: name) else {
                throw ChangeError(
                    code: 111, "\(key): value is \(members["value"]?.kind ?? "missing"), an integer is needed"
                )
            }
            return [.bits(bit, bits)]
        case "Batch":
            guard case .array(let operations)? = members["ops"], operations.count <= batchCountMax else {
                throw ChangeError(
                    code: 111, "\(key): ops of Batch has to be an array of at most \(batchCountMax) operators"
                )
            }
            var all: [ObjectOperation] = []
            for operation in operations {
                guard let inner = operation["__op"], inner != "Batch" else {
                    throw ChangeError(code: 111, "\(key): ops of Batch has something that is no operator")
                }
                all += try parse(operation, key: key)
            }
            return all
        default:
            throw ChangeError(code: 1, "\(key): \(ObjectKey.shown(name)) is no operator")
        }
    }

    /// The field's new value; nil when it is gone.
    ///
    /// - Parameters:
    ///   - current: the field's value; nil when it is missing.
    ///   - key: the field, for the message.
    func result(on current: JSONValue?, key: String) throws(ChangeError) -> JSONValue? {
        switch self {
        case .set(let value): return value
        case .delete: return nil
        case .increment(let amount, let isDecrement):
            return try Self.sum(current, amount, isDecrement: isDecrement, key)
        case .add(let objects):
            return .array(try Self.elements(current, key) + objects)
        case .addUnique(let objects):
            var elements = try Self.elements(current, key)
            for object in objects where !elements.contains(object) { elements.append(object) }
            return .array(elements)
        case .remove(let objects):
            guard current != nil else { return nil }
            return .array(try Self.elements(current, key).filter { !objects.contains($0) })
        case .bits(let bit, let operand):
            guard case .integer(let value) = current ?? .integer(0) else {
                throw Self.mismatch(current, "an integer", key)
            }
            switch bit {
            case .and: return .integer(value & operand)
            case .or: return .integer(value | operand)
            case .xor: return .integer(value ^ operand)
            }
        case .addRelation(let objects):
            let relation = try Self.relation(current, key)
            var all = relation.objects
            for object in objects where !all.contains(object) { all.append(object) }
            return try Self.relation(all, relation.className, key)
        case .removeRelation(let objects):
            let relation = try Self.relation(current, key)
            return try Self.relation(
                relation.objects.filter { !objects.contains($0) }, relation.className, key)
        }
    }

    // MARK: - Parts

    private static func objects(
        _ members: [String: JSONValue], _ key: String
    ) throws(ChangeError) -> [JSONValue] {
        guard case .array(let objects)? = members["objects"] else {
            throw ChangeError(
                code: 111, "\(key): objects is \(members["objects"]?.kind ?? "missing"), an array is needed")
        }
        return objects
    }

    private static func elements(_ current: JSONValue?, _ key: String) throws(ChangeError) -> [JSONValue] {
        switch current {
        case nil, .null?: return []
        case .array(let elements)?: return elements
        default: throw mismatch(current, "an array", key)
        }
    }

    private static func sum(
        _ current: JSONValue?, _ amount: JSONValue, isDecrement: Bool, _ key: String
    ) throws(ChangeError) -> JSONValue {
        let base: JSONValue = current == nil || current == .null ? .integer(0) : current ?? .integer(0)
        if case .integer(let left) = base, case .integer(let right) = amount {
            let (sum, hasOverflown) =
                isDecrement ? left.subtractingReportingOverflow(right) : left.addingReportingOverflow(right)
            if !hasOverflown { return .integer(sum) }
        }
        guard let left = double(base), let right = double(amount) else {
            throw mismatch(current, "a number", key)
        }
        let sum = isDecrement ? left - right : left + right
        guard sum.isFinite else { throw ChangeError(code: 111, "\(key): the sum is too large for a number") }
        return Int64(exactly: sum).map(JSONValue.integer) ?? .number(sum)
    }

    private static func double(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// Relations are kept as the list of their pointers beside LeanCloud's form.
    private static func relation(
        _ current: JSONValue?, _ key: String
    ) throws(ChangeError) -> (className: JSONValue?, objects: [JSONValue]) {
        guard let current, current != .null else { return (nil, []) }
        guard current["__type"] == "Relation" else { throw mismatch(current, "a Relation", key) }
        guard case .array(let objects)? = current["objects"] else { return (current["className"], []) }
        return (current["className"], objects)
    }

    private static func relation(
        _ objects: [JSONValue], _ className: JSONValue?, _ key: String
    ) throws(ChangeError) -> JSONValue {
        var name = className
        for object in objects {
            guard object["__type"] == "Pointer", case .string(let objectClass)? = object["className"] else {
                throw ChangeError(code: 111, "\(key): a Relation holds Pointers, found \(object.kind)")
            }
            guard name == nil || name == .string(objectClass) else {
                throw ChangeError(code: 111, "\(key): a Relation holds Pointers to one class only")
            }
            name = .string(objectClass)
        }
        var members: [String: JSONValue] = ["__type": "Relation", "objects": .array(objects)]
        members["className"] = name
        return .object(members)
    }

    private static func mismatch(_ current: JSONValue?, _ needed: String, _ key: String) -> ChangeError {
        ChangeError(code: 111, "\(key): it is \(current?.kind ?? "missing"), the operator needs \(needed)")
    }
}
