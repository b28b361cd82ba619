import APNs
import PushStore
import Recurrence

/// Makes up objects, and conditions that have a chance to match some of them.
struct WhereGenerator {
    var random: SeededRandom
    private var objectCount = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    // MARK: - Values

    static let strings = [
        "", "a", "A", "abc", "ABC", "a.c", "a\nb", "a\"b", "a\\b", "a'b", "'; DROP TABLE installations; --",
        "1", "1.0",
        "true", "null", "[1]", "{}", "{\"a\":1}", "é", "e\u{301}", "日本", "👩‍👩‍👧", "\u{7f}\u{85}", "\u{1}",
        "\u{fffd}",
        "2026-01-01T00:00:00.000Z", "zh-Hans", "%", "_", "$.a", "?", "\u{10ffff}", "z",
    ]
    static let numbers: [JSONValue] = [
        0, 1, -1, 2, 5, 100, .integer(.max), .integer(.min), .integer(9_007_199_254_740_993), .number(0.1),
        .number(0.30000000000000004), .number(1.5), .number(-1.5), .number(1e20), .number(1e308),
        .number(-1e308),
        .number(.leastNonzeroMagnitude), .number(9_007_199_254_740_992), .number(9.223372036854775807e18),
        .number(-0.0),
        .number(1.7976931348623157e308), .number(3.141592653589793), .number(1e-7),
        .number(123456789.123456789),
    ]
    static let dates: [JSONValue] = [
        ["__type": "Date", "iso": "2026-01-01T00:00:00.000Z"],
        ["__type": "Date", "iso": "2026-01-01T00:00:00Z"],
        ["__type": "Date", "iso": "2026-01-01T08:00:00+08:00"],
        ["__type": "Date", "iso": "2026-01-01T00:00:00.001Z"],
        ["__type": "Date", "iso": "1969-12-31T23:59:59.999Z"],
        ["__type": "Date", "iso": "9999-12-31T23:59:59.999Z"],
    ]
    static let pointers: [JSONValue] = [
        ["__type": "Pointer", "className": "_User", "objectId": "u1"],
        ["__type": "Pointer", "className": "_User", "objectId": "u2"],
        ["__type": "Pointer", "className": "Team", "objectId": "u1"],
    ]
    static let places: [JSONValue] = [
        place(31.2304, 121.4737), place(39.9042, 116.4074), place(0, 0), place(90, 0), place(-90, 180),
        place(0, 179.5), place(0, -179.5),
    ]
    static let attributes = ["a", "b", "c", "tags", "level", "when", "at", "user", "nested"]
    static let paths =
        attributes + [
            "nested.a", "nested.b", "nested.nested.a", "nested.zh-CN", "nested.é", "nested.0", "at.latitude",
        ]
        + ["nested.nested", "tags.0", "when.iso"]
    static let timeZones = ["Asia/Shanghai", "Europe/Berlin", "America/New_York"]
    static let channels = ["", "news", "sport", "体育", "a-b", "a=b", "zz"]
    static let instants = [
        "2026-01-01T00:00:00.000Z", "2026-03-01T12:30:00.500Z", "2025-12-31T23:59:59.999Z",
        "1970-01-01T00:00:00.000Z",
    ]

    static func place(_ latitude: Double, _ longitude: Double) -> JSONValue {
        ["__type": "GeoPoint", "latitude": .number(latitude), "longitude": .number(longitude)]
    }

    mutating func scalar() -> JSONValue {
        switch random.below(13) {
        case 0: .null
        case 12: .null
        case 1: .bool(random.chance(50))
        case 2...4: random.pick(WhereGenerator.numbers)
        case 5: random.chance(50) ? .integer(Int64(random.below(4))) : .number(Double(random.below(1000)) / 7)
        case 6...8: .string(random.pick(WhereGenerator.strings))
        case 9: random.pick(WhereGenerator.dates)
        case 10: random.pick(WhereGenerator.pointers)
        default: random.pick(WhereGenerator.places)
        }
    }

    mutating func value(depth: Int = 0) -> JSONValue {
        if depth < 3, random.chance(20) {
            return .array((0..<random.below(4)).map { _ in value(depth: depth + 1) })
        }
        if depth < 3, random.chance(8) { return .object(members(depth: depth + 1)) }
        return scalar()
    }

    private mutating func members(depth: Int) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for key in ["a", "b", "zh-CN", "é", "0"] where random.chance(30) {
            members[key] = value(depth: depth)
        }
        if depth < 3, random.chance(40) { members["nested"] = .object(self.members(depth: depth + 1)) }
        return members
    }

    // MARK: - Objects

    mutating func object() -> [String: JSONValue] {
        objectCount += 1
        var object: [String: JSONValue] = [
            "objectId": .string("id\(objectCount)"),
            "createdAt": .string(random.pick(WhereGenerator.instants)),
            "updatedAt": .string(random.pick(WhereGenerator.instants)),
            "badge": .integer(Int64(random.below(3))),
            "valid": .bool(random.chance(70)),
        ]
        for key in WhereGenerator.attributes where random.chance(55) {
            switch key {
            case "nested": object[key] = random.chance(80) ? .object(members(depth: 1)) : value()
            case "tags": object[key] = .array((0..<random.below(5)).map { _ in value(depth: 1) })
            case "at": object[key] = random.chance(85) ? random.pick(WhereGenerator.places) : value()
            case "when": object[key] = random.chance(85) ? random.pick(WhereGenerator.dates) : value()
            default: object[key] = value()
            }
        }
        if random.chance(80) { object["deviceType"] = .string(random.pick(["ios", "macos", "android"])) }
        if random.chance(80) { object["deviceToken"] = .string(random.pick(["00ff", "abcd", "12"])) }
        if random.chance(60) { object["timeZone"] = .string(random.pick(WhereGenerator.timeZones)) }
        if random.chance(30) { object["deviceProfile"] = .string(random.pick(["prod", "dev"])) }
        if random.chance(30) { object["installationId"] = .string(random.pick(WhereGenerator.strings)) }
        if random.chance(50) { object["environment"] = .string(random.pick(["production", "sandbox"])) }
        let channels = WhereGenerator.channels.filter { _ in random.chance(30) }
        object["channels"] = .array(channels.map { .string($0) })
        var interests: [String: JSONValue] = [:]
        for tag in ["sports", "a.b", "经济"] where random.chance(50) {
            interests[tag] = .number(Double(random.below(9)) / 10 + 0.1)
        }
        // A tag with a dot is one tag in the table; as an object it would be two keys.
        object["interests"] = .object(interests.filter { !$0.key.contains(".") })
        return object
    }

    // MARK: - Conditions

    mutating func clause(depth: Int = 0) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for _ in 0..<(random.chance(60) ? 1 : random.below(4)) {
            if depth < 4, random.chance(depth == 0 ? 35 : 20) {
                let name = random.pick(["$and", "$or", "$nor", "$or", "$not"])
                members[name] =
                    name == "$not"
                    ? clause(depth: depth + 1)
                    : .array((0...random.below(3)).map { _ in clause(depth: depth + 1) })
            } else {
                let (path, condition) = field()
                members[path] = condition
            }
        }
        return .object(members)
    }

    private mutating func field() -> (String, JSONValue) {
        switch random.below(20) {
        case 0: return ("channels", condition { random in .string(random.pick(WhereGenerator.channels)) })
        case 1:
            return ("deviceType", condition { random in .string(random.pick(["ios", "macos", "other"])) })
        case 2: return ("deviceToken", condition { random in .string(random.pick(["00FF", "abcd", "1"])) })
        case 3: return ("timeZone", condition { random in .string(random.pick(WhereGenerator.timeZones)) })
        case 4: return ("valid", condition { random in .bool(random.chance(50)) })
        case 5:
            return (
                "badge", condition { random in random.chance(80) ? .integer(Int64(random.below(3))) : 0.5 }
            )
        case 6:
            let key = random.pick(["createdAt", "updatedAt"])
            return (key, dateCondition())
        case 7:
            return (
                "environment", condition { random in .string(random.pick(["production", "sandbox", "x"])) }
            )
        case 8: return ("interests." + random.pick(["sports", "经济", "none"]), interestCondition())
        case 9:
            return ("installationId", condition { random in .string(random.pick(WhereGenerator.strings)) })
        case 10: return ("at", placeCondition())
        default:
            let path = random.pick(WhereGenerator.paths)
            return (path, condition(nil))
        }
    }

    private mutating func condition(_ typical: ((inout SeededRandom) -> JSONValue)?) -> JSONValue {
        func operand(_ generator: inout WhereGenerator) -> JSONValue {
            if let typical, generator.random.chance(85) { return typical(&generator.random) }
            return generator.value()
        }
        func ordered(_ generator: inout WhereGenerator) -> JSONValue {
            if let typical, generator.random.chance(85) {
                let value = typical(&generator.random)
                if case .bool = value { return 1 }
                return value
            }
            return switch generator.random.below(5) {
            case 0...1: generator.random.pick(WhereGenerator.numbers)
            case 2...3: .string(generator.random.pick(WhereGenerator.strings))
            default: generator.random.pick(WhereGenerator.dates)
            }
        }
        let count = random.chance(15) ? random.below(15) : random.below(4)
        switch random.below(14) {
        case 0...2: return operand(&self)
        case 3: return ["$ne": operand(&self)]
        case 4...5:
            var members: [String: JSONValue] = [random.pick(["$lt", "$lte", "$gt", "$gte"]): ordered(&self)]
            if random.chance(30) { members[random.pick(["$lt", "$gte"])] = ordered(&self) }
            return .object(members)
        case 6...7: return ["$in": .array((0..<count).map { _ in operand(&self) })]
        case 8: return ["$nin": .array((0..<count).map { _ in operand(&self) })]
        case 9: return ["$all": .array((0..<random.below(3)).map { _ in operand(&self) })]
        case 10: return ["$size": .integer(Int64(random.below(4)))]
        case 11: return ["$exists": .bool(random.chance(50))]
        case 12:
            let pattern = random.pick([
                "^a", "b$", "a.c", "[日本]", "", "^.$", "(?i)ABC", "\\d+", "^a.b$", "é", "s$|p",
            ])
            guard random.chance(60) else { return ["$regex": .string(pattern)] }
            return [
                "$regex": .string(pattern),
                "$options": .string(random.pick(["i", "m", "s", "x", "imsx", ""])),
            ]
        default: return ["$not": condition(typical).asOperators]
        }
    }

    private mutating func dateCondition() -> JSONValue {
        let iso = JSONValue.string(random.pick(WhereGenerator.instants))
        let operand: JSONValue = random.chance(70) ? ["__type": "Date", "iso": iso] : iso
        return switch random.below(7) {
        case 0: operand
        case 1: ["$ne": operand]
        case 2: ["$in": [operand, ["__type": "Date", "iso": "2026-01-01T00:00:00Z"]]]
        case 3: ["$exists": .bool(random.chance(50))]
        case 4: ["$gt": random.chance(50) ? 5 : operand]
        default: .object([random.pick(["$lt", "$lte", "$gt", "$gte"]): operand])
        }
    }

    private mutating func interestCondition() -> JSONValue {
        if random.chance(20) { return ["$exists": .bool(random.chance(50))] }
        let value: JSONValue =
            switch random.below(6) {
            case 0: random.pick([0, 1, -1, 2, 1.0e308, -0.5])
            default: .number(Double(random.below(10)) / 10 + 0.05)
            }
        return .object([random.pick(["$lt", "$lte", "$gt", "$gte"]): value])
    }

    private mutating func placeCondition() -> JSONValue {
        let place = random.pick(WhereGenerator.places)
        switch random.below(6) {
        case 0: return ["$nearSphere": place]
        case 1: return ["$nearSphere": place, "$maxDistanceInMiles": .integer(Int64(random.below(8000)))]
        case 2:
            return [
                "$nearSphere": place, "$maxDistanceInKilometers": .number(Double(random.below(2000)) + 0.5),
            ]
        case 3:
            return ["$nearSphere": place, "$maxDistanceInRadians": .number(Double(random.below(40)) / 10)]
        default:
            let box: JSONValue = [
                WhereGenerator.place(Double(-random.below(90)), Double(random.below(360) - 180)),
                WhereGenerator.place(Double(random.below(90)), Double(random.below(360) - 180)),
            ]
            return ["$within": ["$box": box]]
        }
    }
}

extension JSONValue {
    /// The value if it is made of operators, an equality to it otherwise.
    fileprivate var asOperators: JSONValue {
        if case .object(let members) = self, members.keys.contains(where: { $0.hasPrefix("$") }) {
            return self
        }
        return ["$eq": self]
    }
}
