internal import APNs
internal import PushStore

/// Takes values of a request's `data` as what they are meant to be.
///
/// LeanCloud's own examples write switches as numbers, Booleans and texts, and numbers as texts; what can only
/// mean one thing is taken so. Everything else is an error that names the field, with LeanCloud's code 111.
enum DataValue {
    /// A text; numbers are taken as theirs.
    static func text(_ value: JSONValue, _ path: String) throws(ChangeError) -> String {
        switch value {
        case .string(let text): return text
        case .integer(let integer): return String(integer)
        case .number(let number):
            guard let text = PlainNumber.text(number) else { fallthrough }
            return text
        default: throw wrongType(path, value, needed: "a string")
        }
    }

    /// A list of texts.
    static func texts(_ value: JSONValue, _ path: String) throws(ChangeError) -> JSONValue {
        guard case .array(let elements) = value else {
            throw wrongType(path, value, needed: "an array of strings")
        }
        var texts: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            texts.append(.string(try text(element, "\(path)[\(index)]")))
        }
        return .array(texts)
    }

    /// A switch: 1, true or "1", and their opposites.
    static func flag(_ value: JSONValue, _ path: String) throws(ChangeError) -> Bool {
        switch value {
        case .bool(let bool): return bool
        case .integer(1), .string("1"), .string("true"): return true
        case .integer(0), .string("0"), .string("false"), .string(""): return false
        default: throw wrongType(path, value, needed: "1 or 0")
        }
    }

    /// A number, whole or not, or a text of one.
    static func number(_ value: JSONValue, _ path: String) throws(ChangeError) -> JSONValue {
        switch value {
        case .integer, .number: return value
        case .string(let text):
            if let integer = Int64(text) { return .integer(integer) }
            if let number = Double(text), number.isFinite { return .number(number) }
        default: break
        }
        throw wrongType(path, value, needed: "a number")
    }

    /// A whole number, or a text of one.
    static func integer(_ value: JSONValue, _ path: String) throws(ChangeError) -> Int64 {
        if case .integer(let integer) = try number(value, path) { return integer }
        throw wrongType(path, value, needed: "a whole number")
    }

    /// Seconds since 1970; a fraction is dropped.
    static func seconds(_ value: JSONValue, _ path: String) throws(ChangeError) -> JSONValue {
        let number = try number(value, path)
        guard case .number(let seconds) = number else { return number }
        guard let whole = Int64(exactly: seconds.rounded(.down)) else {
            throw wrongType(path, value, needed: "seconds since 1970")
        }
        return .integer(whole)
    }

    /// An object.
    static func object(_ value: JSONValue, _ path: String) throws(ChangeError) -> [String: JSONValue] {
        guard case .object(let members) = value else { throw wrongType(path, value, needed: "an object") }
        return members
    }

    /// The error of a value with a type that cannot be taken.
    static func wrongType(_ path: String, _ found: JSONValue, needed: String) -> ChangeError {
        ChangeError(code: 111, "\(path): \(words(found)) was found, \(needed) is needed")
    }

    /// The error of a value with the right type that is none of those allowed.
    static func wrongValue(_ path: String, _ found: String, needed: String) -> ChangeError {
        let short = found.count > 64 ? found.prefix(64) + "…" : found[...]
        return ChangeError(code: 1, "\(path): \"\(short)\" was found, \(needed) is needed")
    }

    /// The error of APNs' vocabulary about a field.
    static func invalid(_ path: String, _ error: APNsError) -> ChangeError {
        ChangeError(code: 1, "\(path): \(error.message)")
    }

    private static func words(_ value: JSONValue) -> String {
        switch value {
        case .string(let text) where text.utf8.count <= 32: "\"\(text)\""
        case .integer(let integer): String(integer)
        case .number(let number): PlainNumber.text(number) ?? value.kind
        default: value.kind
        }
    }
}
