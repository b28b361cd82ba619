internal import APNs
internal import Recurrence

extension WhereParser {
    /// Operators that say more about another one, and the ones they may stand beside.
    static let companions: [String: [String]] = [
        "$options": ["$regex"],
        "$maxDistance": ["$nearSphere"],
        "$maxDistanceInMiles": ["$nearSphere"],
        "$maxDistanceInKilometers": ["$nearSphere"],
        "$maxDistanceInRadians": ["$nearSphere"],
    ]

    /// The operand of an equality, as the field's column holds such values.
    static func value(
        _ json: JSONValue, _ field: WhereField, _ path: String
    ) throws(ChangeError) -> WhereValue {
        let value = try WhereValue(json, of: path)
        guard case .builtIn(let builtIn) = field, case .string(let text) = value else { return value }
        if builtIn == .deviceToken { return .string(text.lowercased()) }
        if builtIn.kind == .date {
            // The REST API shows these two as plain texts, so a client may well send one back.
            guard let instant = Instant(iso8601: text) else {
                throw ChangeError(
                    code: 111,
                    "\(path): a Date with YYYY-MM-DDTHH:MM:SS.mmmZ is needed, \(WhereValue.shown(text)) was found"
                )
            }
            return .date(instant.millisecondsSince1970)
        }
        return value
    }

    func values(
        _ operand: JSONValue, _ field: WhereField, _ path: String, countMax: Int
    ) throws(ChangeError) -> [WhereValue] {
        let list = try WhereParser.list(operand, path)
        guard list.count <= countMax else {
            throw ChangeError(code: 107, "\(path): \(list.count) values were found, \(countMax) are allowed")
        }
        var values: [WhereValue] = []
        values.reserveCapacity(list.count)
        for json in list { values.append(try WhereParser.value(json, field, path)) }
        return values
    }

    func ordered(
        _ operand: JSONValue, _ field: WhereField, _ path: String
    ) throws(ChangeError) -> WhereValue {
        let value = try WhereParser.value(operand, field, path)
        switch value {
        case .integer, .number, .string, .date: return value
        default:
            throw ChangeError(
                code: 111, "\(path): a number, a string or a Date is needed, \(operand.kind) was found")
        }
    }

    static func list(_ operand: JSONValue, _ path: String) throws(ChangeError) -> [JSONValue] {
        guard case .array(let values) = operand else {
            throw ChangeError(code: 107, "\(path): \(operand.kind) was found, an array is needed")
        }
        return values
    }

    func expression(
        _ operand: JSONValue, _ options: JSONValue?, _ path: String
    ) throws(ChangeError) -> RegularExpression {
        guard case .string(let pattern) = operand else {
            throw ChangeError(code: 111, "\(path): \(operand.kind) was found, a string is needed")
        }
        var letters = ""
        if let options {
            guard case .string(let text) = options else {
                throw ChangeError(
                    code: 111,
                    "\(path): $options must be a string of i, m, s and x, \(options.kind) was found")
            }
            letters = text
        }
        try WhereValue.check(pattern, of: path)
        do {
            return try RegularExpression(pattern: pattern, options: letters)
        } catch {
            throw ChangeError(code: 304, "\(path): \(error.message)")
        }
    }

    static func radians(_ members: [String: JSONValue], _ path: String) throws(ChangeError) -> Double? {
        let units = [
            ("$maxDistance", 1), ("$maxDistanceInRadians", 1),
            ("$maxDistanceInMiles", Place.earthRadiusMiles),
            ("$maxDistanceInKilometers", Place.earthRadiusKilometers),
        ]
        var radians: Double?
        for (name, unit) in units {
            guard let operand = members[name] else { continue }
            let distance: Double? =
                switch operand {
                case .integer(let integer): Double(integer)
                case .number(let number): number
                default: nil
                }
            guard let distance, distance >= 0 else {
                throw ChangeError(
                    code: 111,
                    "\(path): \(name) must be a number from 0, \(WhereValue.described(operand)) was found")
            }
            radians = min(radians ?? .infinity, distance / unit)
        }
        return radians
    }

    static func box(_ operand: JSONValue, _ path: String) throws(ChangeError) -> PlaceBox {
        guard case .object(let members) = operand, members.count == 1, let corners = members["$box"] else {
            throw ChangeError(
                code: 304,
                "\(path): an object with $box and nothing else is needed, \(operand.kind) was found")
        }
        guard case .array(let places) = corners, places.count == 2 else {
            throw ChangeError(
                code: 302,
                "\(path): $box needs two GeoPoints, the south-western corner and the north-eastern one")
        }
        let box = PlaceBox(
            southWest: try Place(places[0], of: path), northEast: try Place(places[1], of: path))
        guard box.southWest.latitude <= box.northEast.latitude else {
            throw ChangeError(
                code: 302,
                "\(path): $box has its southern corner at \(box.southWest.latitude)°, north of its northern one "
                    + "at \(box.northEast.latitude)°")
        }
        return box
    }

    /// The sentence for operators that ask another class.
    static func foreignQuery(_ name: String, _ operand: JSONValue, _ field: WhereField) -> String {
        let query = operand["query"] ?? operand
        var className = "another class"
        if case .string(let found)? = query["className"] { className = "class \(WhereValue.shown(found))" }
        var attributes: [String] = []
        if case .object(let members)? = query["where"] {
            attributes = members.keys.filter { $0.utf8.first != 0x24 }.sorted()
        }
        if case .string(let key)? = operand["key"] { attributes.append(key) }
        let wanted =
            attributes.isEmpty
            ? "the attribute it asks for" : attributes.prefix(5).map(WhereValue.shown).joined(separator: ", ")
        return "\(field.path): \(name) reaches into \(className), and queries here see the fields of "
            + "_Installation only; copy \(wanted) onto the installation (beside \(field.path)) and ask for it there"
    }
}
