internal import APNs
internal import Recurrence

/// What values of an object's fields may be: JSON, and LeanCloud's typed values in their exact form.
enum ObjectValue {
    /// Refuses a value that cannot be stored.
    ///
    /// - Parameters:
    ///   - value: the value of a field, or one inside of it.
    ///   - key: the field, for the message.
    static func check(_ value: JSONValue, key: String, depth: Int = 0) throws(ChangeError) {
        // The object and the field stand around it.
        guard depth <= JSONValue.depthMax - 2 else {
            throw ChangeError(code: 107, "\(key): a value nests deeper than \(JSONValue.depthMax) levels")
        }
        switch value {
        case .string(let text):
            guard !text.utf8.contains(0) else {
                throw ChangeError(
                    code: 107, "\(key): a text has the character U+0000, which no field can hold")
            }
        case .number(let number):
            guard number.isFinite else { throw ChangeError(code: 107, "\(key): \(number) is no JSON number") }
        case .array(let elements):
            for element in elements { try check(element, key: key, depth: depth + 1) }
        case .object(let members):
            if case .string(let type)? = members["__type"] { try check(members, type: type, key: key) }
            for (name, member) in members {
                try ObjectKey.checkNested(name, path: key)
                try check(member, key: key, depth: depth + 1)
            }
        case .null, .bool, .integer: break
        }
    }

    /// Whether a value is a place.
    static func isGeoPoint(_ value: JSONValue) -> Bool { value["__type"] == "GeoPoint" }

    private static func check(
        _ members: [String: JSONValue], type: String, key: String
    ) throws(ChangeError) {
        switch type {
        case "Date":
            guard case .string(let text)? = members["iso"], Instant(iso8601: text) != nil else {
                throw ChangeError(
                    code: 111,
                    "\(key): a Date needs iso as YYYY-MM-DDTHH:MM:SS.mmmZ, found \(found(members["iso"]))")
            }
        case "Pointer":
            try checkText(members, "className", type, key)
            try checkText(members, "objectId", type, key)
        case "GeoPoint":
            try checkDegrees(members, "latitude", 90, key)
            try checkDegrees(members, "longitude", 180, key)
        case "Bytes":
            try checkText(members, "base64", type, key, mayBeEmpty: true)
        case "File", "Relation", "Object": break
        default: break
        }
    }

    private static func checkText(
        _ members: [String: JSONValue], _ name: String, _ type: String, _ key: String,
        mayBeEmpty: Bool = false
    ) throws(ChangeError) {
        guard case .string(let text)? = members[name], mayBeEmpty || !text.isEmpty else {
            throw ChangeError(
                code: 111, "\(key): a \(type) needs a text \(name), found \(found(members[name]))")
        }
    }

    private static func checkDegrees(
        _ members: [String: JSONValue], _ name: String, _ limit: Double, _ key: String
    ) throws(ChangeError) {
        let degrees: Double? =
            switch members[name] {
            case .integer(let integer)?: Double(integer)
            case .number(let number)?: number
            default: nil
            }
        guard let degrees, -limit...limit ~= degrees else {
            throw ChangeError(
                code: 302,
                "\(key): a GeoPoint needs a \(name) from -\(Int(limit)) to \(Int(limit)), found "
                    + (degrees.map { "\($0)" } ?? found(members[name])))
        }
    }

    private static func found(_ value: JSONValue?) -> String {
        switch value {
        case nil: "nothing"
        case .string(let text)?: ObjectKey.shown(text)
        case let value?: value.kind
        }
    }
}
