internal import APNs
internal import Recurrence
package import SQLite
internal import Synchronization

/// The functions that the SQL of ``SQLiteWhere`` calls.
package enum SQLiteFunctions {
    /// How many compiled patterns a connection keeps.
    private static let expressionCountMax = 16

    /// Registers them; to be called once on each connection.
    package static func register(on database: Database) throws(SQLiteError) {
        let expressions = ExpressionCache(countMax: expressionCountMax)
        // belfry_regex(pattern, options, text): 1, 0, or NULL when the last one is no text.
        try database.register(function: "belfry_regex", argumentCount: 3) { values throws(SQLiteError) in
            guard case .text(let text) = values[2] else { return .null }
            guard case .text(let pattern) = values[0], case .text(let options) = values[1] else {
                return .null
            }
            do throws(RegularExpression.Fault) {
                return Value(try expressions.expression(pattern, options).isFound(in: text))
            } catch {
                throw SQLiteError(code: .function, message: "$regex: \(error.message)")
            }
        }
        // belfry_distance_radians(latitude, longitude, latitude, longitude): NULL unless all are numbers.
        try database.register(function: "belfry_distance_radians", argumentCount: 4) { values in
            guard let first = place(values[0], values[1]), let second = place(values[2], values[3]) else {
                return .null
            }
            return .real(second.distanceRadians(to: first))
        }
        // belfry_is_within(latitude, longitude, south, west, north, east): NULL unless all are numbers.
        try database.register(function: "belfry_is_within", argumentCount: 6) { values in
            guard let place = place(values[0], values[1]), let southWest = Self.place(values[2], values[3]),
                let northEast = Self.place(values[4], values[5])
            else { return .null }
            return Value(PlaceBox(southWest: southWest, northEast: northEast).contains(place))
        }
        // belfry_milliseconds(iso): milliseconds since 1970, NULL for what is no time.
        try database.register(function: "belfry_milliseconds", argumentCount: 1) { values in
            guard case .text(let text) = values[0] else { return .null }
            return Value(Instant(iso8601: text)?.millisecondsSince1970)
        }
    }

    private static func place(_ latitude: Value, _ longitude: Value) -> Place? {
        guard let latitude = degrees(latitude), let longitude = degrees(longitude) else { return nil }
        return Place(latitude: latitude, longitude: longitude)
    }

    private static func degrees(_ value: Value) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        default: nil
        }
    }
}

/// The patterns used last, compiled.
private final class ExpressionCache: Sendable {
    private let countMax: Int
    /// The one used last stands first.
    private let expressions = Mutex<[RegularExpression]>([])

    init(countMax: Int) {
        self.countMax = countMax
    }

    func expression(_ pattern: String, _ options: String) throws(RegularExpression.Fault) -> RegularExpression
    {
        let known = expressions.withLock { expressions -> RegularExpression? in
            let index = expressions.firstIndex {
                $0.pattern.utf8.elementsEqual(pattern.utf8) && $0.options == options
            }
            guard let index else { return nil }
            if index > 0 { expressions.insert(expressions.remove(at: index), at: 0) }
            return expressions[0]
        }
        if let known { return known }
        let new = try RegularExpression(pattern: pattern, options: options)
        expressions.withLock { expressions in
            expressions.insert(new, at: 0)
            if expressions.count > countMax { expressions.removeLast() }
        }
        return new
    }
}
