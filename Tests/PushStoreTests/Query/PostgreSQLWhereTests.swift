import APNs
import PostgreSQL
import PushStore
import Recurrence
import Testing

/// PostgreSQL and the evaluator decide alike.
@Suite(
    .enabled(
        if: StoreUnderTest.allCases.contains(.postgresql), "needs a server: scripts/postgres run swift test"),
    .serialized)
struct PostgreSQLWhereTests {
    @Test(arguments: 0..<8)
    func `a generated condition matches the same rows in PostgreSQL and in memory`(
        seed: UInt64
    ) async throws {
        try await PostgreSQLWhereTable.with { table in
            var generator = WhereGenerator(seed: seed)
            var objects: [(number: Int64, object: [String: JSONValue])] = []
            var tokens: Set<JSONValue> = []
            for _ in 0..<60 {
                var object = generator.object()
                // A token belongs to one row.
                if let token = object["deviceToken"], !tokens.insert(token).inserted {
                    object["deviceToken"] = nil
                }
                objects.append((try table.insert(object), object))
            }
            try table.finish()
            var matchCount = 0
            for _ in 0..<100 {
                let json = generator.clause()
                let text = String(decoding: try json.encoded(), as: UTF8.self)
                let clause = try WhereClause(json)
                let expected = objects.filter { clause.matches($0.object) }.map(\.number)
                matchCount += expected.count
                do {
                    let found = try await table.numbers(clause)
                    let count = try await table.count(clause)
                    #expect(count == expected.count, "seed \(seed), count: \(text)")
                    guard found != expected else { continue }
                    let difference = Set(found).symmetricDifference(expected)
                    let first = objects.first { difference.contains($0.number) }
                    let object = try first.map {
                        String(decoding: try JSONValue.object($0.object).encoded(), as: UTF8.self)
                    }
                    Issue.record(
                        """
                        seed \(seed): \(text)
                        in the database \(found.contains(first?.number ?? 0)): \(object ?? "none")
                        """)
                } catch {
                    Issue.record("\(error) for \(text)")
                }
            }
            // A generator whose conditions match nothing or all would prove little.
            #expect((600...5400).contains(matchCount), "\(matchCount) matches of 6000")
        }
    }

    @Test func `a text from outside never becomes SQL`() async throws {
        try await PostgreSQLWhereTable.with { table in
            var numbers: [String: Int64] = [:]
            for text in SQLiteWhereTests.hostile {
                numbers[text] = try table.insert(["a": .string(text), "nested": ["k": .string(text)]])
            }
            try table.finish()
            for text in SQLiteWhereTests.hostile {
                let value = JSONValue.string(text)
                let clauses: [JSONValue] = [
                    ["a": value], ["a": ["$in": [value, "nothing"]]], ["a": ["$all": [value]]],
                    ["nested": ["k": value]], ["nested.k": value], ["$nor": [["a": ["$ne": value]]]],
                ]
                for json in clauses {
                    #expect(try await table.numbers(try WhereClause(json)) == [numbers[text]], "\(text)")
                }
                for key in ["nested." + text, "interests." + text] {
                    guard let clause = try? WhereClause([key: ["$exists": true]]) else { continue }
                    #expect(try await table.numbers(clause) == [])
                }
            }
        }
    }

    @Test func `near gives the nearest first, and rows are sorted by any key`() async throws {
        try await PostgreSQLWhereTable.with { table in
            let places = [(10.0, 10.0), (1, 1), (5, 5), (-2, 0)]
            let numbers = try places.enumerated().map { index, place in
                try table.insert([
                    "at": WhereGenerator.place(place.0, place.1), "badge": .integer(Int64(index)),
                    "level": index == 0 ? "x" : index == 1 ? nil : .integer(Int64(-index)),
                ])
            }
            let last = try table.insert(["at": "nowhere", "badge": 9])
            try table.finish()
            let near = try WhereClause(["at": ["$nearSphere": WhereGenerator.place(0, 0)]])
            #expect(
                try await table.find(near, []) == [numbers[1], numbers[3], numbers[2], numbers[0]])
            #expect(
                try await table.find(nil, [.init(key: "badge", isDescending: true)])
                    == [last] + numbers.reversed())
            #expect(
                try await table.find(nil, [.init(key: "level")])
                    == [numbers[1], last, numbers[3], numbers[2], numbers[0]])
        }
    }

    static let times = [
        "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.1Z", "2026-01-01t00:00:00.123456z",
        "2026-01-01 08:00:00+0800",
        "2026-01-01T08:00:00-08:00", "2024-02-29T23:59:60Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2000-02-29T12:00:00.999Z", "0000-01-01T00:00:00Z", "0001-03-01T00:00:00+23:59",
        "9999-12-31T23:59:59.999Z",
        "1969-12-31T23:59:59.001Z", "1970-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+10:60",
        " 2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z\n", "2026-01-01T00:00:00,5Z", "", "x", "２０２６-01-01T00:00:00Z",
    ]

    @Test func `the server reads times as the service does`() async throws {
        try await PostgreSQLWhereTable.with { table in
            for text in Self.times {
                let milliseconds = try table.session.query(
                    "SELECT belfry_milliseconds($1)", [.text(text)])[0].optionalInteger(0)
                #expect(milliseconds == Instant(iso8601: text)?.millisecondsSince1970, "\(text)")
            }
        }
    }
}
