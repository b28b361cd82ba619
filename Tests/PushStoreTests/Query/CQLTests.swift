import APNs
import PushStore
import Testing

struct CQLTests {
    @Test(arguments: [
        ("select * from _Installation where level = 5", "{\"level\":5}"),
        (
            "SELECT * FROM _Installation WHERE a != 'x' AND b <> 1.5",
            "{\"$and\":[{\"a\":{\"$ne\":\"x\"}},{\"b\":{\"$ne\":1.5}}]}"
        ),
        (
            "select * from _Installation where a<1 or b<=2 and c>3 or d >= -4",
            "{\"$or\":[{\"a\":{\"$lt\":1}},{\"$and\":[{\"b\":{\"$lte\":2}},{\"c\":{\"$gt\":3}}]},{\"d\":{\"$gte\":-4}}]}"
        ),
        (
            "select * from _Installation where (a=1 or b=2) and not c=true",
            "{\"$and\":[{\"$or\":[{\"a\":1},{\"b\":2}]},{\"$not\":{\"c\":true}}]}"
        ),
        (
            "select * from _Installation where a in ('x', 2, false) and b not in (1)",
            "{\"$and\":[{\"a\":{\"$in\":[\"x\",2,false]}},{\"b\":{\"$nin\":[1]}}]}"
        ),
        (
            "select * from _Installation where channels all ('a','b')",
            "{\"channels\":{\"$all\":[\"a\",\"b\"]}}"
        ),
        (
            "select * from _Installation where a is null and b is not null",
            "{\"$and\":[{\"a\":null},{\"b\":{\"$ne\":null}}]}"
        ),
        (
            "select * from _Installation where a is exists or b is not exists or c exists or d not exists",
            "{\"$or\":[{\"a\":{\"$exists\":true}},{\"b\":{\"$exists\":false}},{\"c\":{\"$exists\":true}},{\"d\":{\"$exists\":false}}]}"
        ),
        (
            "select * from _Installation where a like 'x.%_\\%'",
            "{\"a\":{\"$options\":\"s\",\"$regex\":\"^x\\\\..*.\\\\%\\\\z\"}}"
        ),
        (
            "select * from _Installation where a not like '%b'",
            "{\"a\":{\"$not\":{\"$options\":\"s\",\"$regex\":\"^.*b\\\\z\"}}}"
        ),
        (
            "select * from _Installation where a regexp '^x' and b not regexp 'y'",
            "{\"$and\":[{\"a\":{\"$regex\":\"^x\"}},{\"b\":{\"$not\":{\"$regex\":\"y\"}}}]}"
        ),
        (
            "select * from _Installation where updatedAt > date('2026-01-01T00:00:00.000Z')",
            "{\"updatedAt\":{\"$gt\":{\"__type\":\"Date\",\"iso\":\"2026-01-01T00:00:00.000Z\"}}}"
        ),
        (
            "select * from _Installation where user = pointer('_User', 'u1')",
            "{\"user\":{\"__type\":\"Pointer\",\"className\":\"_User\",\"objectId\":\"u1\"}}"
        ),
        (
            "select * from _Installation where a = 'it''s' and b = \"say \\\"\\\\\\n\"",
            "{\"$and\":[{\"a\":\"it's\"},{\"b\":\"say \\\"\\\\\\n\"}]}"
        ),
        (
            "select * from _Installation where shop.city='上海' and `nested.zh-CN` = 1",
            "{\"$and\":[{\"shop.city\":\"上海\"},{\"nested.zh-CN\":1}]}"
        ),
        ("select * from _Installation where a=null", "{\"a\":null}"),
        ("select*from _Installation where((a=1))", "{\"a\":1}"),
        ("select * from _Installation where a=1e3", "{\"a\":1000}"),
    ])
    func `a condition becomes the where that means it`(text: String, json: String) throws {
        let filter = try #require(try CQL(text).filter)
        #expect(filter.json == (try JSONValue(parsing: json)))
    }

    @Test func `question marks stand for values in their order`() throws {
        let cql = try CQL(
            "select * from _Installation where a = ? and b in ? and c in (?, 2) and d like ? limit ?",
            values: ["'; --", [1, 2], 1, "x%", 7])
        #expect(
            cql.filter?.json == [
                "$and": [
                    ["a": "'; --"], ["b": ["$in": [1, 2]]], ["c": ["$in": [1, 2]]],
                    ["d": ["$regex": "^x.*\\z", "$options": "s"]],
                ]
            ])
        #expect(cql.limit == 7)
        #expect(throws: ChangeError.self) { try CQL("select * from _Installation where a = ?") }
        #expect(throws: ChangeError.self) { try CQL("select * from _Installation where a = 1", values: [1]) }
    }

    @Test func `order, limit, skip, fields and count are read`() throws {
        let cql = try CQL(
            "select deviceToken, a.b, count(*) from _Installation order by level desc, name asc, x limit 10, 20"
        )
        #expect(cql.filter == nil)
        #expect(cql.keys == ["deviceToken", "a.b"])
        #expect(cql.wantsCount)
        #expect(cql.order == [.init(key: "level", isDescending: true), .init(key: "name"), .init(key: "x")])
        #expect(cql.limit == 20)
        #expect(cql.skip == 10)
        let other = try CQL("select * from _Installation limit 5 skip 3")
        #expect(other.limit == 5)
        #expect(other.skip == 3)
        #expect(other.keys == nil)
    }

    @Test(arguments: [
        ("", "character 1: the end was found, select is expected"),
        ("delete from _Installation", "'delete' was found, select"),
        ("select * from _User", "'_User' was found, _Installation"),
        ("select * from _Installation;", "';' means nothing"),
        ("select * from _Installation where", "a field is expected"),
        ("select * from _Installation where a", "a comparison"),
        ("select * from _Installation where a =", "the end was found, a value"),
        ("select * from _Installation where a = b", "quotation marks"),
        ("select * from _Installation where a = 'x", "character 39: the string that begins here has no end"),
        ("select * from _Installation where `a = 1", "has no end"),
        ("select * from _Installation where (a = 1", "')' is expected"),
        ("select * from _Installation where a = 1)", "the end is expected"),
        ("select * from _Installation where a = 1 b = 2", "the end is expected"),
        ("select * from _Installation where a in 5", "'(' is expected"),
        ("select * from _Installation where a is 5", "null or exists"),
        ("select * from _Installation where a like 5", "a string"),
        ("select * from _Installation where a ! 5", "'!='"),
        ("select * from _Installation where a = 1.2.3", "is no number"),
        ("select * from _Installation where a = -", "is no number"),
        ("select * from _Installation where a = 1e999", "is no number"),
        ("select * from _Installation where a = 'x\\q'", "a backslash"),
        ("select * from _Installation limit -1", "a whole number"),
        ("select * from _Installation limit 1.5", "a whole number"),
        ("select * from _Installation where and = 1", "a field"), ("select from _Installation", "a field"),
        ("select * from _Installation where not", "a field"),
        ("select count( from _Installation", "'*' is expected"),
        ("select * from _Installation where a = 1 union select 1", "the end is expected"),
        ("select * from _Installation -- x", "is no number"),
    ])
    func `what is no query is refused with code 300 and its place`(text: String, part: String) {
        let error = #expect(throws: ChangeError.self) { try CQL(text) }
        #expect(error?.code == 300)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func `what a where cannot mean keeps the code of where`() {
        #expect(throws: ChangeError.self) { try CQL("select * from _Installation where a regexp '('") }
        let error = #expect(throws: ChangeError.self) {
            try CQL("select * from _Installation where `1a` = 1")
        }
        #expect(error?.code == 105)
    }

    @Test(arguments: ["(", "not ", "not ("])
    func `deep nesting ends in an error`(part: String) {
        let text =
            "select * from _Installation where " + String(repeating: part, count: 60_000 / part.utf8.count)
            + "a = 1"
        let error = #expect(throws: ChangeError.self) { try CQL(text) }
        #expect(error?.code == 300)
        #expect(throws: ChangeError.self) { try CQL(String(repeating: "a", count: CQL.byteCountMax + 1)) }
    }

    @Test(arguments: [
        ("a%", "abc", true), ("a_c", "abc", true), ("a_c", "a日c", true), ("a.c", "abc", false),
        ("%", "", true), ("a", "a\n", false), ("%b%", "a\nb\nc", true), ("^a$", "a", false),
        ("\\Qa", "a", false),
    ])
    func `like takes percent and underscore for what they are in SQL`(
        pattern: String, text: String, expected: Bool
    ) throws {
        let cql = try CQL("select * from _Installation where a like ?", values: [.string(pattern)])
        #expect(cql.filter?.matches(["a": .string(text)]) == expected)
    }
}
