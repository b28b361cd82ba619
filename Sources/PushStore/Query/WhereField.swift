internal import APNs

/// The field a condition is about.
enum WhereField: Sendable, Hashable {
    /// One of LeanCloud's own fields, or one of ours, kept in a column.
    case builtIn(BuiltIn)
    /// The channels.
    case channels
    /// How much the device's user cares for a tag.
    case interest(tag: String)
    /// A field of the customer's own, by its keys from the outside in.
    case attribute([String])

    /// The fields with a column of their own; raw values are LeanCloud's names.
    enum BuiltIn: String, Sendable {
        case objectID = "objectId"
        case deviceType, deviceToken
        case installationID = "installationId"
        case apnsTopic
        case apnsTeamID = "apnsTeamId"
        case deviceProfile, timeZone, badge
        case isValid = "valid"
        case environment, createdAt, updatedAt

        /// What the column's values are.
        var kind: Kind {
            switch self {
            case .badge: .integer
            case .isValid: .bool
            case .createdAt, .updatedAt: .date
            default: .text
            }
        }
    }

    /// What a column's values are.
    enum Kind: Sendable {
        case text, integer, bool, date
    }

    /// The key of the object that holds the interests by tag.
    static let interestsKey = "interests"
    /// How many keys deep a field may be.
    static let keyCountMax = 16
    /// How long one key may be, in bytes of UTF-8.
    static let keyByteCountMax = 256

    /// Reads a key of a `where`, dotted for nested fields.
    ///
    /// - Throws: code 105 for what is no field.
    init(_ path: String) throws(ChangeError) {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let first = keys[0]
        guard keys.count <= WhereField.keyCountMax else {
            throw ChangeError(code: 105, "a key of more than \(WhereField.keyCountMax) parts in where")
        }
        guard let letter = first.utf8.first, 0x41...0x5a ~= letter || 0x61...0x7a ~= letter,
            first.utf8.allSatisfy(WhereValue.isNameByte), first.utf8.count <= WhereField.keyByteCountMax
        else {
            throw ChangeError(
                code: 105,
                "\(WhereValue.shown(path)) is no key: letters, digits and '_' are allowed, a letter first")
        }
        for key in keys.dropFirst() {
            // Control characters, quotation marks and backslashes are written as escapes in JSON, and a
            // path of the database compares what is written.
            guard !key.isEmpty, key.utf8.count <= WhereField.keyByteCountMax, key.utf8.first != 0x24,
                key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c })
            else {
                throw ChangeError(
                    code: 105,
                    "\(WhereValue.shown(path)) is no key: a part is empty, begins with '$', or has a "
                        + "quotation mark, backslash or control character")
            }
        }
        if first == WhereField.interestsKey {
            guard keys.count > 1 else {
                throw ChangeError(code: 105, "interests needs a tag, as in interests.sports")
            }
            self = .interest(tag: keys.dropFirst().joined(separator: "."))
        } else if first == "channels" || BuiltIn(rawValue: first) != nil {
            guard keys.count == 1 else {
                throw ChangeError(code: 105, "\(WhereValue.shown(path)): \(first) has no fields of its own")
            }
            self = BuiltIn(rawValue: first).map(WhereField.builtIn) ?? .channels
        } else {
            self = .attribute(keys)
        }
    }

    /// The key as a `where` writes it.
    var path: String {
        switch self {
        case .builtIn(let field): field.rawValue
        case .channels: "channels"
        case .interest(let tag): "\(WhereField.interestsKey).\(tag)"
        case .attribute(let keys): keys.joined(separator: ".")
        }
    }

    /// The field's value in an object as the REST API shows it; nil when it is missing.
    func value(in object: [String: JSONValue]) -> JSONValue? {
        switch self {
        case .builtIn(let field): object[field.rawValue]
        case .channels: object["channels"]
        case .interest(let tag): object[WhereField.interestsKey].flatMap { WhereField.member(tag, of: $0) }
        case .attribute(let keys):
            keys.dropFirst().reduce(object[keys[0]]) { value, key in
                value.flatMap { WhereField.member(key, of: $0) }
            }
        }
    }

    private static func member(_ key: String, of value: JSONValue) -> JSONValue? {
        guard case .object(let members) = value, let index = members.index(forKey: key) else { return nil }
        // A dictionary takes keys for equal that differ in composition; a database compares their bytes.
        return members[index].key.utf8.elementsEqual(key.utf8) ? members[index].value : nil
    }
}
