import APNs
import PushStore
import Testing

struct WhereParsingTests {
    @Test(arguments: [
        (107, "[", "line 1"), (107, "5", "a number was found, an object is needed"),
        (107, "\"a\"", "a string"),
        (107, "{\"$or\":[]}", "$or: an empty array"), (107, "{\"$or\":{}}", "$or: an object was found"),
        (107, "{\"$and\":[1]}", "$and: a number was found, its elements must be objects"),
        (107, "[]", "empty array"),
        (107, "{\"a\":{\"$in\":\"x\"}}", "a: $in: a string was found, an array is needed"),
        (107, "{\"a\":\"\\u0000\"}", "U+0000"), (107, "{\"a\":{\"$in\":[{\"b\":\"\\u0000\"}]}}", "U+0000"),
        (107, "{\"a\":\"\\ud800\"}", "surrogate"), (107, "{\"a\":1e999}", "range"),
        (304, "{\"$foo\":1}", "the operator '$foo'"), (304, "{\"a\":{\"$foo\":1}}", "a: the operator '$foo'"),
        (304, "{\"a\":{\"$gt\":1,\"b\":2}}", "'b' stands among operators"),
        (304, "{\"a\":[{\"$foo\":1},{\"$gt\":2}]}", "$foo"),
        (304, "{\"a\":{\"$options\":\"i\"}}", "$options stands alone"),
        (304, "{\"a\":{\"$gt\":1,\"$maxDistanceInMiles\":1}}", "$maxDistanceInMiles stands alone"),
        (304, "{\"a\":{\"$regex\":\"(\"}}", "at byte 1: missing closing parenthesis"),
        (304, "{\"a\":{\"$regex\":\"a\",\"$options\":\"g\"}}", "the options have 'g'"),
        (304, "{\"a\":{\"$regex\":\"\\\\C\"}}", "\\C"),
        (304, "{\"a\":{\"$in\":[{\"$gt\":1}]}}", "'$gt' stands where"),
        (304, "{\"a\":{\"$not\":5}}", "a: $not: a number was found"),
        (304, "{\"a\":{\"$within\":{\"$polygon\":[]}}}", "$box"),
        (304, "{\"interests.a\":0.5}", "an interest fades"),
        (304, "{\"interests.a\":{\"$in\":[1]}}", "an interest fades"),
        (105, "{\"\":1}", "is no key"), (105, "{\"1a\":1}", "is no key"), (105, "{\"_a\":1}", "is no key"),
        (105, "{\"a b\":1}", "is no key"), (105, "{\"a..b\":1}", "a part is empty"),
        (105, "{\"a.\":1}", "a part is empty"),
        (105, "{\"a.$b\":1}", "begins with '$'"), (105, "{\"a.b\\\"c\":1}", "quotation mark"),
        (105, "{\"a') OR 1=1 --\":1}", "is no key"), (105, "{\"badge.x\":1}", "badge has no fields"),
        (105, "{\"channels.0\":1}", "channels has no fields"), (105, "{\"interests\":1}", "needs a tag"),
        (105, "{\"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q\":1}", "more than 16"),
        (111, "{\"a\":{\"$gt\":true}}", "a number, a string or a Date"),
        (111, "{\"a\":{\"$gt\":null}}", "null was found"),
        (111, "{\"a\":{\"$size\":-1}}", "-1 was found"),
        (111, "{\"a\":{\"$size\":1.5}}", "a number was found"),
        (111, "{\"a\":{\"$exists\":1}}", "true or false"),
        (111, "{\"a\":{\"$regex\":5}}", "a number was found"),
        (111, "{\"a\":{\"$regex\":\"a\",\"$options\":1}}", "$options must be a string"),
        (111, "{\"a\":{\"__type\":\"Date\",\"iso\":\"today\"}}", "found 'today'"),
        (111, "{\"a\":{\"__type\":\"Date\"}}", "found nothing"),
        (111, "{\"a\":{\"__type\":\"Pointer\",\"className\":\"_User\"}}", "a Pointer needs"),
        (111, "{\"updatedAt\":\"yesterday\"}", "'yesterday' was found"),
        (
            111,
            "{\"a\":{\"$nearSphere\":{\"__type\":\"GeoPoint\",\"latitude\":1,\"longitude\":1},\"$maxDistanceInMiles\":-1}}",
            "-1"
        ),
        (302, "{\"a\":{\"$nearSphere\":[1,2]}}", "a GeoPoint"),
        (302, "{\"a\":{\"__type\":\"GeoPoint\",\"latitude\":91,\"longitude\":0}}", "latitude 91.0"),
        (
            302,
            "{\"a\":{\"$within\":{\"$box\":[{\"__type\":\"GeoPoint\",\"latitude\":1,\"longitude\":1}]}}}",
            "two GeoPoints"
        ),
        (
            302,
            "{\"a\":{\"$within\":{\"$box\":[{\"__type\":\"GeoPoint\",\"latitude\":1,\"longitude\":1},{\"__type\":\"GeoPoint\",\"latitude\":0,\"longitude\":1}]}}}",
            "north of"
        ),
    ])
    func `what a where cannot mean is refused with its code and place`(code: Int, text: String, part: String)
    {
        let error = #expect(throws: ChangeError.self) { try WhereClause(parsing: text) }
        #expect(error?.code == code)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["$inQuery", "$notInQuery", "$select", "$dontSelect"])
    func `a query into another class says which attribute to copy`(name: String) {
        let error = #expect(throws: ChangeError.self) {
            try WhereClause(["user": .object([name: ["className": "_User", "where": ["age": ["$gt": 18]]]])])
        }
        #expect(error?.code == 304)
        #expect(
            error?.message
                == "user: \(name) reaches into class '_User', and queries here see the fields of _Installation only; "
                + "copy 'age' onto the installation (beside user) and ask for it there")
    }

    @Test func `the key of a $select is named`() {
        let error = #expect(throws: ChangeError.self) {
            try WhereClause([
                "city": ["$select": ["query": ["className": "Team", "where": ["won": 1]], "key": "town"]]
            ])
        }
        #expect(error?.message.contains("copy 'won', 'town' onto") == true)
    }

    @Test func `an error's sentence carries no control characters`() {
        let error = #expect(throws: ChangeError.self) { try WhereClause(["a\u{1b}[31m\n": 1]) }
        #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    @Test func `clauses nest up to the limit and no deeper`() throws {
        // The innermost conditions are the ones with the longest SQL.
        let strings = (0..<9).map { JSONValue.string("\($0)") }
        let dates = (1..<10).map {
            JSONValue.object(["__type": "Date", "iso": .string("2026-01-0\($0)T00:00:00Z")])
        }
        let large: [JSONValue] =
            [nil, true, [1], ["k": 1], 1.5, 2] + strings + dates + WhereGenerator.pointers
        let leaves: [JSONValue] = [
            ["a": 1], ["a": ["$nin": .array(large)]], ["a": ["$not": ["$all": .array(large)]]],
            ["channels": ["$nin": .array([nil, []] + strings)]],
            ["at": ["$not": ["$nearSphere": WhereGenerator.place(0, 0), "$maxDistanceInRadians": 1]]],
        ]
        func nested(_ leaf: JSONValue, _ levels: Int, _ wrap: (JSONValue) -> JSONValue) -> JSONValue {
            (0..<levels).reduce(leaf) { inner, _ in wrap(inner) }
        }
        let table = try WhereTable()
        try table.insert(["a": 1])
        let wraps: [(JSONValue) -> JSONValue] = [
            { ["$or": [$0, ["b": ["$all": [1, 2]]]]] }, { ["$and": [["a": ["$ne": [1]]], $0]] },
            { ["$not": $0] },
            { ["$nor": [["b": 5], $0]] },
            { ["$or": [["$not": ["a": ["$in": ["x", 1]]]], $0], "a": ["$exists": true]] },
        ]
        for wrap in wraps {
            for leaf in leaves {
                let clause = try WhereClause(nested(leaf, WhereClause.depthMax - 1, wrap))
                for purpose in [SQLiteWhere.Purpose.whole, .walk] {
                    #expect(
                        clause.matches(["a": 1]) == (try table.numbers(clause, purpose: purpose).count == 1))
                }
                let error = #expect(throws: ChangeError.self) {
                    try WhereClause(nested(leaf, WhereClause.depthMax + 1, wrap))
                }
                #expect(error?.code == 107)
            }
        }
    }

    @Test func `a hundred thousand levels end in an error`() {
        let text = String(repeating: "{\"$not\":", count: 100_000)
        #expect(throws: ChangeError.self) { try WhereClause(parsing: text) }
        var json: JSONValue = ["a": 1]
        for _ in 0..<5000 { json = ["$and": [json]] }
        #expect(throws: ChangeError.self) { try WhereClause(json) }
        var value: JSONValue = 1
        for _ in 0..<5000 { value = [value] }
        #expect(throws: ChangeError.self) { try WhereClause(["a": value]) }
    }

    @Test func `conditions are counted up to the limit`() throws {
        let table = try WhereTable()
        func alternatives(_ count: Int) -> JSONValue {
            ["$or": .array((0..<count).map { ["a": ["$gt": .integer(Int64($0))]] })]
        }
        // Each alternative is one condition and its place in the array another.
        #expect(try table.numbers(WhereClause(alternatives(WhereClause.conditionCountMax / 2))) == [])
        #expect(throws: ChangeError.self) {
            try WhereClause(alternatives(WhereClause.conditionCountMax / 2 + 1))
        }
        let values = JSONValue.array((0..<WhereClause.conditionCountMax - 1).map { .integer(Int64($0)) })
        #expect(try table.numbers(WhereClause(["a": ["$all": values]])) == [])
        #expect(try table.numbers(WhereClause(["$nor": [["$not": ["a": ["$all": [1]]]]], "b": nil])) == [])
        let large = JSONValue.array((0..<WhereClause.conditionCountMax).map { .integer(Int64($0)) })
        #expect(throws: ChangeError.self) { try WhereClause(["a": ["$all": large]]) }
    }

    @Test(arguments: ["$in", "$nin"])
    func `a list has as many values as the limit says`(name: String) throws {
        func list(_ count: Int) -> JSONValue {
            ["a": .object([name: .array((0..<count).map { .integer(Int64($0)) })])]
        }
        let table = try WhereTable()
        let number = try table.insert(["a": 4999])
        let clause = try WhereClause(list(WhereClause.listCountMax))
        #expect(try table.numbers(clause) == (name == "$in" ? [number] : []))
        #expect(throws: ChangeError.self) { try WhereClause(list(WhereClause.listCountMax + 1)) }
    }
}
