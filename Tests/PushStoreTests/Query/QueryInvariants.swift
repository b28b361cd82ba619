import APNs
import PushStore
import SQLite

/// What must hold for any bytes whatever that come as a `where` or as a query.
///
/// The tests of this folder call them with mutated input, the fuzz targets with what libFuzzer makes up. Each
/// gives a sentence about what does not hold, or nil.
struct QueryInvariants {
    private let table: WhereTable
    private let rows: [(number: Int64, object: [String: JSONValue])]

    static let objects: [[String: JSONValue]] = [
        [
            "objectId": "a1", "createdAt": "2026-01-01T00:00:00.000Z",
            "updatedAt": "2026-06-01T12:00:00.000Z",
            "deviceType": "ios", "deviceToken": "abcdef", "timeZone": "Asia/Shanghai", "badge": 3,
            "valid": true,
            "channels": ["news", "体育"], "environment": "production", "name": "Zoë", "level": 5, "ratio": 0.5,
            "vip": true, "nothing": nil, "tags": ["a", "b", 7, ["c"]], "words": [],
            "when": ["__type": "Date", "iso": "2026-03-01T00:00:00.000Z"],
            "user": ["__type": "Pointer", "className": "_User", "objectId": "u1"],
            "at": ["__type": "GeoPoint", "latitude": 31.2304, "longitude": 121.4737],
            "shop": ["city": "上海", "floor": ["level": 2]], "interests": ["sports": 0.4],
        ],
        [
            "objectId": "a2", "createdAt": "2026-01-01T00:00:00.000Z",
            "updatedAt": "2026-06-01T12:00:00.000Z",
            "level": "5", "name": "", "tags": "a", "channels": [], "valid": false, "badge": 0,
            "ratio": 1.0e308,
        ],
    ]

    init() throws {
        let table = try WhereTable()
        self.table = table
        rows = try QueryInvariants.objects.map { (try table.insert($0), $0) }
    }

    func whereClause(_ text: [UInt8]) -> String? {
        guard let json = try? JSONValue(parsing: text) else { return nil }
        let clause: WhereClause
        do {
            clause = try WhereClause(json)
        } catch {
            return check(error, codes: [105, 107, 111, 302, 304])
        }
        guard clause.json == json else { return "the JSON is not kept" }
        return check(clause)
    }

    func cql(_ text: [UInt8]) -> String? {
        guard let text = String(validating: text, as: UTF8.self) else { return nil }
        let cql: CQL
        do {
            cql = try CQL(text)
        } catch {
            return check(error, codes: [105, 107, 111, 300, 302, 304])
        }
        guard let filter = cql.filter else { return nil }
        guard let encoded = try? filter.json.encoded(), let json = try? JSONValue(parsing: encoded),
            let again = try? WhereClause(json)
        else { return "the condition does not survive a round trip through JSON" }
        if again != filter { return "the condition changes in a round trip through JSON" }
        return check(filter)
    }

    private func check(_ error: ChangeError, codes: Set<Int>) -> String? {
        guard codes.contains(error.code) else { return "an error has the code \(error.code)" }
        guard !error.message.isEmpty, error.message.utf8.count < 2000 else {
            return "an error's sentence has \(error.message.utf8.count) bytes"
        }
        return error.message.unicodeScalars.contains { $0.value < 0x20 }
            ? "an error has control characters" : nil
    }

    private func check(_ clause: WhereClause) -> String? {
        var expected: [Int64] = []
        for (number, object) in rows {
            let isMatch = clause.matches(object)
            if isMatch { expected.append(number) }
            if clause.failures(in: object).isEmpty != isMatch { return "matches and failures differ" }
        }
        for purpose in [SQLiteWhere.Purpose.whole, .walk] {
            do {
                let found = try table.numbers(clause, purpose: purpose)
                guard found == expected else { return "\(found) were found, \(expected) match" }
            } catch let error as SQLiteError where error.code == .function {
                // A pattern took more steps than it may.
            } catch {
                return "\(error)"
            }
        }
        return nil
    }
}
