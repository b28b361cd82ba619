public import APNs

extension WhereClause {
    /// Whether an object holds the condition.
    ///
    /// - Parameter object: all fields by key as the REST API shows them, `createdAt` and `updatedAt` as texts.
    /// - Returns: false also where a regular expression takes more steps than it may.
    public func matches(_ object: [String: JSONValue]) -> Bool { node.matches(object) }
}

extension WhereNode {
    func matches(_ object: [String: JSONValue]) -> Bool {
        switch self {
        case .all(let nodes): nodes.allSatisfy { $0.matches(object) }
        case .any(let nodes): nodes.contains { $0.matches(object) }
        case .not(let node): !node.matches(object)
        case .condition(let condition): condition.matches(object)
        }
    }
}

extension WhereCondition {
    func matches(_ object: [String: JSONValue]) -> Bool {
        test.holds(field.storedValue(in: object), of: field) != isNegated
    }
}

extension WhereField {
    /// The field's value as it is compared: dates of the built-in fields are no texts.
    fileprivate func storedValue(in object: [String: JSONValue]) -> JSONValue? {
        guard let json = value(in: object) else { return unsetValue }
        if case .builtIn(let builtIn) = self {
            if builtIn.kind == .date, case .string = json { return ["__type": "Date", "iso": json] }
            if builtIn == .deviceToken, case .string(let text) = json { return .string(text.lowercased()) }
        }
        return json
    }

    /// What a field is that was never set, where its column always has a value.
    private var unsetValue: JSONValue? {
        switch self {
        case .channels: []
        case .builtIn(.badge): 0
        case .builtIn(.isValid): true
        default: nil
        }
    }
}

extension WhereTest {
    fileprivate func holds(_ found: JSONValue?, of field: WhereField) -> Bool {
        if field == .channels, found == .array([]) {
            // No channels and an empty list of them are stored alike, and count as both.
            switch self {
            case .isIn(let values) where values.contains(.null): return true
            case .hasAll(let values) where values.contains(.null):
                return values.allSatisfy { $0 == .null || $0 == .structure("[]") }
            case .exists: return false
            default: break
            }
        }
        switch self {
        case .isIn(let values):
            guard let found else { return values.contains(.null) }
            let candidates = WhereTest.candidates(found)
            return values.contains { value in candidates.contains { value.equals($0) } }
        case .hasAll(let values):
            guard !values.isEmpty else { return false }
            guard let found else { return values.allSatisfy { $0 == .null } }
            let candidates = WhereTest.candidates(found)
            return values.allSatisfy { value in candidates.contains { value.equals($0) } }
        case .compares(let comparison, let value):
            return found.map(WhereTest.candidates)?.contains { value.holds(comparison, $0) } ?? false
        case .hasCount(let count):
            guard case .array(let elements)? = found else { return false }
            return elements.count == count
        case .exists: return found != nil
        case .matches(let expression):
            return found.map(WhereTest.candidates)?.contains { candidate in
                guard case .string(let text) = candidate else { return false }
                return (try? expression.isFound(in: text)) ?? false
            } ?? false
        case .isNear(let place, let radiansMax):
            guard let there = found.flatMap(Place.init(stored:)) else { return false }
            return place.distanceRadians(to: there) <= radiansMax ?? .infinity
        case .isWithin(let box):
            return found.flatMap(Place.init(stored:)).map(box.contains) ?? false
        }
    }

    /// The value itself, and when it is an array its elements.
    private static func candidates(_ json: JSONValue) -> [WhereValue] {
        var candidates = WhereValue(stored: json).map { [$0] } ?? []
        if case .array(let elements) = json { candidates += elements.compactMap(WhereValue.init(stored:)) }
        return candidates
    }
}
