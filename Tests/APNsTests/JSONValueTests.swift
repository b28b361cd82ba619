import FoundationEssentials
import Testing

@testable import APNs

@Suite struct JSONValueTests {
    static let values: [(text: String, value: JSONValue, encoded: String)] = [
        ("null", .null, "null"), ("true", true, "true"), ("false", false, "false"), ("1", 1, "1"),
        ("0", 0, "0"), ("1.0", 1, "1"), ("-0", 0, "0"), ("1e2", 100, "100"), ("0.5", 0.5, "0.5"),
        ("-1.5E-3", -0.0015, "-0.0015"), ("1e300", 1e300, "1e+300"),
        ("9223372036854775807", .integer(.max), "9223372036854775807"),
        ("-9223372036854775808", .integer(.min), "-9223372036854775808"),
        ("9223372036854775808", .number(0x1p63), "9.223372036854776e+18"),
        (#""""#, "", #""""#), (#""a\/b""#, "a/b", #""a/b""#),
        (#""\u00e9é😀\ud83d\ude00""#, "éé😀😀", #""éé😀😀""#),
        (
            #""\"\\\b\f\n\r\t\u0001\u007f\u2028""#, "\"\\\u{8}\u{c}\n\r\t\u{1}\u{7f}\u{2028}",
            "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\u{7f}\u{2028}\""
        ),
        ("[]", [], "[]"), ("[ ]", [], "[]"), ("[1,[true,null]]", [1, [true, nil]], "[1,[true,null]]"),
        ("{ }", [:], "{}"),
        (#" {"b" : 1 , "a" : {"é":[]}} "#, ["a": ["é": []], "b": 1], #"{"a":{"é":[]},"b":1}"#),
    ]

    @Test(arguments: values)
    func `a value is read, and written with sorted keys and few escapes`(
        text: String, value: JSONValue, encoded: String
    ) throws {
        #expect(try JSONValue(parsing: text) == value)
        #expect(String(decoding: try value.encoded(), as: UTF8.self) == encoded)
        #expect(try JSONValue(parsing: value.encoded()) == value)
    }

    @Test(arguments: [
        ("", "line 1, column 1: the end of the text where a value"), ("  ", "column 3: the end"),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: '\"' where ',' or '}'"),
        (#"{"é":1,}"#, "line 1, column 7: a comma after the last element"), ("[1,]", "column 3: a comma"),
        ("[1 2]", "column 4: '2' where ',' or ']'"), ("[1", "column 3: the end of the text where ','"),
        ("{1:2}", "column 2: '1' where a key"), ("{'a':1}", "column 2: ''' where a key"),
        ("{\"a\" 1}", "column 6: '1' where ':'"), ("{\"a\"", "the end of the text where ':'"),
        ("'a'", "column 1: a single quotation mark"), ("\"a", "the end of the text inside a string"),
        ("\"a\nb\"", "line 1, column 3: a control character"),
        (#""\x""#, "column 2: an escape that JSON does"),
        (#""\u12"#, "the end of the text inside an escape"), (#""\u12g4""#, "four hexadecimal digits"),
        (#""\ud800""#, "half of a surrogate pair"), (#""\udc00""#, "half of a surrogate pair"),
        (#""\ud800\u0041""#, "half of a surrogate pair"), ("True", "'T' where a value"),
        ("nul", "'n' where a value"),
        ("NaN", "'N' where a value"), ("01", "a needless 0"), ("-", "the end of the text where a digit"),
        ("1.", "where a digit"), (".5", "'.' where a value"), ("1e", "where a digit"),
        ("+1", "'+' where a value"),
        ("1e400", "64-bit floating point"), ("{} x", "column 4: 'x' after the end"),
        ("{}\0", "byte 0 after the end"),
        ("\u{feff}{}", "a byte order mark"),
    ])
    func `text that is no JSON is refused with its place`(text: String, message: String) {
        let error = #expect(throws: APNsError.self) { try JSONValue(parsing: text) }
        #expect(error?.code == .invalidJSON)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        [0x22, 0xc3, 0x22], [0x22, 0xff, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0x80, 0x22],
    ])
    func `bytes that are not UTF-8 are refused with their place`(text: [UInt8]) {
        let error = #expect(throws: APNsError.self) { try JSONValue(parsing: text) }
        #expect(error?.message == "line 1, column 2: a byte that is not UTF-8")
    }

    @Test func `nesting is read up to 32 levels and no deeper`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let deepest = try JSONValue(parsing: nested(32))
        #expect(try deepest.encoded() == Array(nested(32).utf8))
        #expect(throws: APNsError.self) { try JSONValue(parsing: nested(33)) }
        #expect(throws: APNsError.self) { try JSONValue.array([deepest]).encoded() }
        #expect(throws: APNsError.self) { try JSONValue(parsing: nested(100_000)) }
        #expect(throws: APNsError.self) {
            try JSONValue(parsing: String(repeating: "{\"a\":", count: 100_000))
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func `a number that is not finite cannot be encoded`(number: Double) {
        #expect(throws: APNsError.self) { try JSONValue.number(number).encoded() }
    }

    @Test(arguments: values)
    func `a value is a part of other types`(text: String, value: JSONValue, encoded: String) throws {
        let data = try JSONEncoder().encode(["a": [value]])
        #expect(try JSONDecoder().decode([String: [JSONValue]].self, from: data) == ["a": [value]])
        #expect(try JSONDecoder().decode([JSONValue].self, from: Data("[\(text)]".utf8)) == [value])
    }

    @Test func `nesting inside other types is bounded`() throws {
        func data(_ depth: Int) -> Data {
            Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONDecoder().decode(JSONValue.self, from: data(65)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: data(66)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: data(100_000)) }
    }

    @Test func `the number of repeated keys is bounded`() throws {
        let keys = Array(repeating: #""a":1"#, count: 1000).joined(separator: ",")
        #expect(try JSONDocument(parsing: Array("{\(keys)}".utf8)).repeatedKeys.count == 100)
    }

    @Test func `repeated keys are found wherever they are`() throws {
        let text = #"{"a":1,"b":[{"c":1,"d":2,"c":3}],"a":{"a":1}}"#
        #expect(try JSONDocument(parsing: Array(text.utf8)).repeatedKeys == [["b", "[]", "c"], ["a"]])
        #expect(try JSONDocument(parsing: Array(#"{"a":{"a":1},"b":{"a":1}}"#.utf8)).repeatedKeys.isEmpty)
    }
}
