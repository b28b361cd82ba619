import APNs
import PushStore
import Recurrence
import SQLite
import Testing

struct SQLiteWhereTests {
    static let hostile = [
        "'", "\"", "a' OR '1'='1", "'); DROP TABLE installations; --", "\\", "$", "$.a", "?", "%", "a]b",
        "[0]", "#-1", "--",
        "/*", "*/", ";", "\u{7f}", "\u{202e}", "𝒳", "x'00'", "i = 1", ") OR 1=1 OR (1",
    ]

    @Test(arguments: hostile)
    func `a text from outside never becomes SQL`(text: String) throws {
        let table = try WhereTable()
        let number = try table.insert([
            "a": .string(text), "nested": ["k": .string(text)], "deviceType": .string(text),
        ])
        try table.insert(["a": "other"])
        let value = JSONValue.string(text)
        let clauses: [JSONValue] = [
            ["a": value], ["a": ["$in": [value, "nothing"]]], ["a": ["$all": [value]]],
            ["nested": ["k": value]],
            ["nested.k": value], ["deviceType": value],
            ["deviceType": ["$gte": value], "a": ["$ne": "other"]],
            ["$nor": [["a": ["$ne": value]]]],
        ]
        for json in clauses {
            let clause = try WhereClause(json)
            #expect(try table.numbers(clause) == [number])
            let sql = SQLiteWhere(clause, app: 1, now: WhereTable.now)
            let known = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.,=<>()?'1234567890 *+$"
            #expect((sql.source.sql + sql.condition.sql).allSatisfy { known.contains($0) })
        }
        for key in ["nested." + text, "nested.k" + text, "interests." + text] {
            // As a key it is refused or finds nothing; the table stays either way.
            guard let clause = try? WhereClause([key: ["$exists": true]]) else { continue }
            #expect(try table.numbers(clause) == [])
            let sql = SQLiteWhere(clause, app: 1, now: WhereTable.now)
            #expect(
                sql.condition.sql
                    == SQLiteWhere(
                        try WhereClause([key.hasPrefix("i") ? "interests.k" : "nested.k": ["$exists": true]]),
                        app: 1, now: WhereTable.now
                    ).condition.sql)
        }
        #expect(throws: ChangeError.self) { try WhereClause([text: 1]) }
        #expect(throws: ChangeError.self) { try SQLiteWhere.order(by: text) }
        #expect(try table.numbers(nil).count == 2)
    }

    @Test func `rows of another app are never seen`() throws {
        let table = try WhereTable()
        let number = try table.insert(["channels": ["news"], "a": 1])
        for text in [
            "{}", "{\"channels\":\"news\"}", "{\"$or\":[{\"a\":1},{\"a\":2}]}", "{\"a\":{\"$ne\":2}}",
            "{\"$nor\":[{\"a\":2}]}",
        ] {
            for purpose in [SQLiteWhere.Purpose.whole, .walk] {
                #expect(
                    try table.numbers(WhereClause(parsing: text), purpose: purpose) == [number], "\(text)")
            }
        }
    }

    @Test func `near gives the nearest first`() throws {
        let table = try WhereTable()
        let places = [(10.0, 10.0), (1, 1), (5, 5), (-2, 0)]
        let numbers = try places.map { try table.insert(["at": WhereGenerator.place($0.0, $0.1)]) }
        try table.insert(["at": "nowhere"])
        let clause = try WhereClause([
            "at": ["$nearSphere": WhereGenerator.place(0, 0)], "$and": [["a": nil]],
        ])
        let sql = SQLiteWhere(clause, app: WhereTable.app, now: WhereTable.now)
        let distance = try #require(sql.distance)
        let found = try table.database.all(
            "SELECT i.number FROM \(sql.source.sql) WHERE \(sql.condition.sql) ORDER BY \(distance.sql)",
            sql.source.values + sql.condition.values + distance.values
        ) { row throws(SQLiteError) in try row.integer(0) }
        #expect(found == [numbers[1], numbers[3], numbers[2], numbers[0]])
        #expect(
            SQLiteWhere(try WhereClause(["$or": [clause.json]]), app: 1, now: WhereTable.now).distance == nil)
    }

    @Test(arguments: [
        ("{\"objectId\":\"x\"}", "installations_object_id"),
        ("{\"deviceToken\":\"AB\",\"channels\":\"news\"}", "installations_device_token"),
        ("{\"installationId\":{\"$in\":[\"a\",\"b\"]}}", "installations_installation_id"),
    ])
    func `an index finds what only a handful of rows can match`(text: String, index: String) throws {
        let table = try WhereTable()
        for purpose in [SQLiteWhere.Purpose.whole, .walk] {
            let plan = try table.plan(WhereClause(parsing: text), purpose: purpose)
            #expect(plan.contains(index), "\(plan)")
        }
    }

    @Test(arguments: [
        "{\"channels\":\"news\",\"valid\":true}", "{\"channels\":{\"$all\":[\"news\"]},\"valid\":true}",
        "[{\"valid\":true},{\"channels\":{\"$in\":[\"news\"]}}]",
    ])
    func `a channel's members are walked in the order of their numbers`(text: String) throws {
        let table = try WhereTable()
        let clause = try WhereClause(parsing: text)
        let sql = SQLiteWhere(clause, app: WhereTable.app, now: WhereTable.now, purpose: .walk)
        let plan = try table.database.all(
            """
            EXPLAIN QUERY PLAN SELECT i.number FROM \(sql.source.sql) WHERE \(sql.condition.sql) \
            AND \(sql.number) > ? ORDER BY \(sql.number) LIMIT 10
            """, sql.source.values + sql.condition.values + [5]
        ) { row throws(SQLiteError) in try row.string(3) }
        #expect(
            plan.first == "SEARCH d USING PRIMARY KEY (app=? AND channel=? AND installation>?)", "\(plan)")
        #expect(plan.count == 2, "\(plan)")
    }

    @Test func `many rows are read in the order of the table and not by an index that begins with the app`()
        throws
    {
        let table = try WhereTable()
        for text in [
            "{\"a\":1}", "{\"deviceType\":\"ios\"}", "{\"deviceToken\":null}",
            "{\"updatedAt\":{\"$gt\":\"2026-01-01T00:00:00Z\"}}",
        ] {
            for purpose in [SQLiteWhere.Purpose.whole, .walk] {
                let plan = try table.plan(WhereClause(parsing: text), purpose: purpose)
                #expect(plan.hasPrefix("SCAN i"), "\(plan)")
            }
        }
        let channels = try table.plan(WhereClause(["channels": ["$in": ["a", "b"]], "valid": true]))
        #expect(channels.hasPrefix("SEARCH i USING INTEGER PRIMARY KEY (rowid=?)"), "\(channels)")
        let interest = try table.plan(WhereClause(["interests.a": ["$gte": 0.3]]))
        #expect(
            interest.contains("INDEX installation_interests_score (app=? AND tag=? AND score>?)"),
            "\(interest)")
    }

    @Test func `the text of a statement does not grow with a long list`() throws {
        func sql(_ count: Int) throws -> String {
            let clause = try WhereClause(["a": ["$in": .array((0..<count).map { .string("v\($0)") })]])
            return SQLiteWhere(clause, app: 1, now: WhereTable.now).condition.sql
        }
        #expect(try sql(20) == sql(5000))
    }

    @Test func `rows are sorted by any key`() throws {
        let table = try WhereTable()
        let numbers = try [3, 1, 2].map {
            try table.insert([
                "level": .integer($0), "badge": .integer($0), "interests": ["a": .number(Double($0) / 10)],
            ])
        }
        for key in ["level", "badge", "interests.a"] {
            let order = try SQLiteWhere.order(by: key)
            let found = try table.database.all(
                "SELECT i.number FROM installations AS i WHERE i.app = ? ORDER BY \(order.sql)",
                [.integer(WhereTable.app)] + order.values
            ) { row throws(SQLiteError) in try row.integer(0) }
            #expect(found == [numbers[1], numbers[2], numbers[0]], "\(key)")
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a pattern that backtracks without end is given up`() throws {
        let table = try WhereTable()
        let object: [String: JSONValue] = ["a": .string(String(repeating: "a", count: 5000) + "!")]
        try table.insert(object)
        let clause = try WhereClause(["a": ["$regex": "^(a+)+$"]])
        #expect(!clause.matches(object))
        let error = #expect(throws: SQLiteError.self) { try table.numbers(clause) }
        #expect(error?.code == .function)
        #expect(error?.message == "$regex: match limit exceeded")
    }

    @Test(arguments: [
        "(((a{1000}){1000}){1000})", String(repeating: "(", count: 999), String(repeating: "a", count: 1001),
        "(?R)", "(?<n>a)(?<n>b)", "[", "\\",
    ])
    func `a pattern that is too large or broken is refused`(pattern: String) {
        let error = #expect(throws: ChangeError.self) {
            let clause = try WhereClause(["a": ["$regex": .string(pattern)]])
            // Recursion without end is found while matching; it must end all the same.
            if pattern == "(?R)", !clause.matches(["a": "x"]) { throw ChangeError(code: 304, "no match") }
        }
        #expect(error?.code == 304)
    }
}
