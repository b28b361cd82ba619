internal import APNs
internal import Recurrence

/// A value a field is compared with.
///
/// Two values of different kinds are never equal and never in any order.
enum WhereValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is no 64-bit integer.
    case number(Double)
    case string(String)
    /// Milliseconds since 1970.
    case date(Int64)
    case pointer(className: String, objectID: String)
    /// An array, or an object without a meaning of its own, as canonical JSON text.
    case structure(String)

    /// Reads the operand of an operator.
    init(_ json: JSONValue, of path: String) throws(ChangeError) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .number(let number):
            guard number.isFinite else {
                throw ChangeError(code: 107, "\(path): \(number) is no JSON number")
            }
            self = WhereValue(number)
        case .string(let string):
            try WhereValue.check(string, of: path)
            self = .string(string)
        case .array:
            self = .structure(try WhereValue.text(json, of: path))
        case .object(let members):
            switch members["__type"] {
            case .string("Date"): self = .date(try WhereValue.milliseconds(members["iso"], of: path))
            case .string("Pointer"): self = try WhereValue.pointer(members, of: path)
            case .string("GeoPoint"):
                _ = try Place(json, of: path)
                self = .structure(try WhereValue.text(json, of: path))
            default: self = .structure(try WhereValue.text(json, of: path))
            }
        }
    }

    /// The value of a stored field, or nil for one that cannot be written as JSON.
    init?(stored json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = WhereValue(number)
        case .string(let string): self = .string(string)
        case .array, .object:
            if case .string("Date") = json["__type"], case .string(let text) = json["iso"],
                let instant = Instant(iso8601: text)
            {
                self = .date(instant.millisecondsSince1970)
            } else if case .string("Pointer") = json["__type"],
                case .string(let className) = json["className"],
                case .string(let objectID) = json["objectId"]
            {
                self = .pointer(className: className, objectID: objectID)
            } else {
                guard let text = try? json.encoded() else { return nil }
                self = .structure(String(decoding: text, as: UTF8.self))
            }
        }
    }

    private init(_ number: Double) {
        if let integer = Int64(exactly: number) { self = .integer(integer) } else { self = .number(number) }
    }

    /// Whether a stored value, not looking into arrays, equals this one.
    func equals(_ stored: WhereValue) -> Bool {
        switch (self, stored) {
        // Swift takes texts for equal that differ in composition; a database compares their bytes.
        case (.string(let left), .string(let right)), (.structure(let left), .structure(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.pointer(let className, let objectID), .pointer(let storedName, let storedID)):
            className.utf8.elementsEqual(storedName.utf8) && objectID.utf8.elementsEqual(storedID.utf8)
        default: self == stored
        }
    }

    /// Whether a stored value is on a side of this one; never for values of another kind.
    func holds(_ comparison: WhereComparison, _ stored: WhereValue) -> Bool {
        switch (stored, self) {
        case (.integer(let left), .integer(let right)): comparison.holds(left, right)
        case (.number(let left), .number(let right)): comparison.holds(left, right)
        case (.integer(let left), .number(let right)):
            comparison.holds(0, WhereValue.order(right, left))
        case (.number(let left), .integer(let right)):
            comparison.holds(WhereValue.order(left, right), 0)
        case (.string(let left), .string(let right)):
            comparison.holds(WhereValue.order(left, right), 0)
        case (.date(let left), .date(let right)): comparison.holds(left, right)
        default: false
        }
    }

    /// -1, 0 or 1 as a number is less than, equal to or greater than an integer, without rounding either.
    private static func order(_ number: Double, _ integer: Int64) -> Int {
        if number >= 0x1p63 { return 1 }
        if number < -0x1p63 { return -1 }
        let whole = number.rounded(.down)
        let wholeInteger = Int64(whole)
        if wholeInteger != integer { return wholeInteger < integer ? -1 : 1 }
        return number > whole ? 1 : 0
    }

    /// -1, 0 or 1 by the bytes of UTF-8, which is the order of code points.
    private static func order(_ left: String, _ right: String) -> Int {
        if left.utf8.lexicographicallyPrecedes(right.utf8) { return -1 }
        return right.utf8.lexicographicallyPrecedes(left.utf8) ? 1 : 0
    }

    // MARK: - Reading

    private static func milliseconds(_ iso: JSONValue?, of path: String) throws(ChangeError) -> Int64 {
        guard case .string(let text)? = iso, let instant = Instant(iso8601: text) else {
            throw ChangeError(
                code: 111, "\(path): a Date needs iso as YYYY-MM-DDTHH:MM:SS.mmmZ, found \(described(iso))")
        }
        return instant.millisecondsSince1970
    }

    private static func pointer(
        _ members: [String: JSONValue], of path: String
    ) throws(ChangeError) -> WhereValue {
        guard case .string(let className)? = members["className"], className.utf8.allSatisfy(isNameByte),
            !className.isEmpty, case .string(let objectID)? = members["objectId"],
            objectID.utf8.allSatisfy({ isNameByte($0) || $0 == 0x2d }), !objectID.isEmpty
        else {
            throw ChangeError(
                code: 111,
                "\(path): a Pointer needs className and objectId of letters, digits, '_' and '-', found "
                    + "\(described(members["className"])) and \(described(members["objectId"]))")
        }
        return .pointer(className: className, objectID: objectID)
    }

    /// Refuses a text no database column holds.
    static func check(_ string: String, of path: String) throws(ChangeError) {
        if string.utf8.contains(0) {
            throw ChangeError(code: 107, "\(path): a text has the character U+0000, which no field can hold")
        }
    }

    /// The canonical JSON text of an array or object that can be stored.
    private static func text(_ json: JSONValue, of path: String) throws(ChangeError) -> String {
        try check(json, of: path, depth: 0)
        do {
            return String(decoding: try json.encoded(), as: UTF8.self)
        } catch {
            throw ChangeError(code: 107, "\(path): \(error.message)")
        }
    }

    private static func check(_ json: JSONValue, of path: String, depth: Int) throws(ChangeError) {
        guard depth < JSONValue.depthMax else {
            throw ChangeError(code: 107, "\(path): a value nests deeper than \(JSONValue.depthMax) levels")
        }
        switch json {
        case .string(let string): try check(string, of: path)
        case .array(let values):
            for value in values { try check(value, of: path, depth: depth + 1) }
        case .object(let members):
            for (key, value) in members {
                if key.utf8.first == 0x24 {
                    throw ChangeError(
                        code: 304,
                        "\(path): the operator \(shown(key)) stands where a plain value is expected")
                }
                try check(key, of: path)
                try check(value, of: path, depth: depth + 1)
            }
        default: break
        }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f: true
        default: false
        }
    }

    /// A value for an error's sentence: short, and without what a terminal or log would take for its own.
    static func described(_ json: JSONValue?) -> String {
        switch json {
        case nil: "nothing"
        case .string(let string)?: shown(string)
        case .integer(let integer)?: "\(integer)"
        case .bool(let bool)?: "\(bool)"
        case let json?: json.kind
        }
    }

    /// A text from outside for an error's sentence.
    static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(40).map { scalar in
            scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value ? "?" : String(Character(scalar))
        }
        return "'\(scalars.joined())\(text.unicodeScalars.count > 40 ? "…" : "")'"
    }
}
