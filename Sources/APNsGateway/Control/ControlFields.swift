package import APNs

/// The members of a request's JSON object, or of its query: read by name and type, unknown names refused.
package struct ControlFields: Sendable {
    private let members: [String: JSONValue]
    /// Whether every value is text, as in a query.
    private let isText: Bool

    /// Reads a JSON object; no text at all counts as an empty one.
    ///
    /// - Throws: `invalidField` for anything else and for a name that is not allowed.
    package init(json text: [UInt8], allowed: [String]) throws(GatewayError) {
        guard !text.isEmpty else {
            try self.init(json: .object([:]), allowed: allowed)
            return
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text)
        } catch {
            throw GatewayError(code: .invalidField, message: "the body is not JSON: \(error.message)")
        }
        try self.init(json: value, allowed: allowed)
    }

    /// Takes a JSON object that was read already.
    package init(json value: JSONValue, allowed: [String]) throws(GatewayError) {
        try self.init(json: value, allowed: allowed, isText: false)
    }

    private init(json value: JSONValue, allowed: [String], isText: Bool) throws(GatewayError) {
        guard case .object(let members) = value else {
            throw GatewayError(
                code: .invalidField, message: "found \(value.kind), allowed: a JSON object")
        }
        if let unknown = members.keys.filter({ !allowed.contains($0) }).min() {
            throw GatewayError(
                code: .invalidField,
                message: "found a field \"\(unknown.prefix(60))\", allowed: "
                    + (allowed.isEmpty ? "none" : allowed.joined(separator: ", ")),
                field: String(unknown.prefix(60)))
        }
        self.members = members
        self.isText = isText
    }

    /// Reads a query, whose numbers and truth values are text.
    package init(query: [(name: String, value: String)], allowed: [String]) throws(GatewayError) {
        var members: [String: JSONValue] = [:]
        for (name, value) in query {
            guard members[name] == nil else {
                throw GatewayError(
                    code: .invalidField, message: "found \(name.prefix(60)) twice, allowed: once",
                    field: String(name.prefix(60)))
            }
            members[name] = .string(value)
        }
        try self.init(json: .object(members), allowed: allowed, isText: true)
    }

    /// The value of a name; nil when it is absent or null.
    package subscript(name: String) -> JSONValue? {
        let value = members[name]
        return value == .null ? nil : value
    }

    /// Whether there is no field.
    package var isEmpty: Bool { members.isEmpty }

    /// A text.
    package func string(_ name: String, countMax: Int = 100_000) throws(GatewayError) -> String? {
        switch self[name] {
        case nil: return nil
        case .string(let text)?:
            guard text.utf8.count <= countMax else {
                throw error(name, "a text of \(text.utf8.count) bytes", allowed: "at most \(countMax)")
            }
            return text
        case let value?: throw error(name, value.kind, allowed: "a string")
        }
    }

    /// A truth value.
    package func boolean(_ name: String) throws(GatewayError) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let bool)?: return bool
        case .string("true")? where isText: return true
        case .string("false")? where isText: return false
        case let value?: throw error(name, ControlFields.describe(value), allowed: "true or false")
        }
    }

    /// A whole number in a range.
    package func integer(_ name: String, in range: ClosedRange<Int64>) throws(GatewayError) -> Int64? {
        switch self[name] {
        case nil: return nil
        case .integer(let integer)? where range.contains(integer): return integer
        case let value?:
            if isText, case .string(let text) = value, let integer = Int64(text), range.contains(integer) {
                return integer
            }
            throw error(
                name, ControlFields.describe(value),
                allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// A list of texts.
    package func strings(_ name: String, countMax: Int) throws(GatewayError) -> [String]? {
        guard let value = self[name] else { return nil }
        guard case .array(let values) = value, values.count <= countMax else {
            throw error(name, value.kind, allowed: "an array of at most \(countMax) strings")
        }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else {
                throw error(name, "an array with \(value.kind)", allowed: "an array of strings")
            }
            texts.append(text)
        }
        return texts
    }

    /// An environment.
    package func environment(_ name: String = "environment") throws(GatewayError) -> Environment? {
        try string(name).map { text throws(GatewayError) in try ControlFields.environment(text, field: name) }
    }

    /// A topic.
    package func topic(_ name: String = "topic") throws(GatewayError) -> Topic? {
        try string(name).map { text throws(GatewayError) in try ControlFields.topic(text, field: name) }
    }

    /// A device token in hexadecimal digits.
    package func token(_ name: String = "token") throws(GatewayError) -> DeviceToken? {
        try string(name).map { text throws(GatewayError) in try ControlFields.token(text, field: name) }
    }

    /// The error for a field that is absent and must not be.
    package func missing(_ name: String, allowed: String) -> GatewayError {
        error(name, "nothing", allowed: allowed)
    }

    /// The error for a field with a wrong value.
    func error(_ name: String, _ found: String, allowed: String) -> GatewayError {
        GatewayError(
            code: .invalidField, message: "\(name): found \(found), allowed: \(allowed)", field: name)
    }

    // MARK: Single values

    /// Reads an environment.
    static func environment(_ text: String, field: String) throws(GatewayError) -> Environment {
        guard let environment = Environment(rawValue: text) else {
            throw GatewayError(
                code: .invalidField,
                message: "\(field): found \"\(text.prefix(40))\", allowed: "
                    + Environment.allCases.map(\.rawValue).joined(separator: ", "),
                field: field)
        }
        return environment
    }

    /// Reads a topic.
    static func topic(_ text: String, field: String) throws(GatewayError) -> Topic {
        do {
            return try Topic(text)
        } catch {
            throw GatewayError(code: .invalidField, message: "\(field): \(error.message)", field: field)
        }
    }

    /// Reads a device token.
    static func token(_ text: String, field: String) throws(GatewayError) -> DeviceToken {
        do {
            return try DeviceToken(hex: text)
        } catch {
            throw GatewayError(code: .invalidField, message: "\(field): \(error.message)", field: field)
        }
    }

    private static func describe(_ value: JSONValue) -> String {
        switch value {
        case .integer(let integer): "\(integer)"
        case .string(let text): "\"\(text.prefix(40))\""
        default: value.kind
        }
    }
}
