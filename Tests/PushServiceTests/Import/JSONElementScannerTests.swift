import APNs
@testable import PushService
import Testing

struct JSONElementScannerTests {
    private func elements(
        _ text: String, pieceByteCount: Int = 1 << 20
    ) -> (elements: [String], isComplete: Bool, strayCount: Int) {
        var scanner = JSONElementScanner()
        var found: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
            let piece = Array(bytes[start..<min(start + pieceByteCount, bytes.count)])
            piece.withUnsafeBytes { piece in
                scanner.feed(piece) { found.append(String(decoding: $0, as: UTF8.self)) }
            }
        }
        return (found, scanner.isComplete, scanner.strayCount)
    }

    static let texts: [(text: String, elements: [String])] = [
        ("[]", []), ("{\"results\":[]}", []), ("[{}]", ["{}"]), ("{}", ["{}"]), ("{}\n{}\n", ["{}", "{}"]),
        (#"[{"a":1},{"b":[1,2]}]"#, [#"{"a":1}"#, #"{"b":[1,2]}"#]),
        (#" [ {"a":"}]{["} , {"b":"\"}"} ] "#, [#"{"a":"}]{["}"#, #"{"b":"\"}"}"#]),
        (#"{ "results" : [ {"a":{"b":{}}}, {} ] , "count":2 }"#, [#"{"a":{"b":{}}}"#, "{}"]),
        (#"{" results":[{}]}"#, [#"{" results":[{}]}"#]), (#"{"results":1}"#, [#"{"results":1}"#]),
        (#"{"channels":["a"]}"# + "\n" + #"{"b":[[]]}"#, [#"{"channels":["a"]}"#, #"{"b":[[]]}"#]),
        (#"{"a":"\\"}{"b":"é😀"}"#, [#"{"a":"\\"}"#, #"{"b":"é😀"}"#]),
        ("\u{feff}[{}]", ["{}"]),
    ]

    @Test(arguments: texts, [1, 2, 3, 7, 1 << 20])
    func `objects are found whatever pieces the text comes in`(
        test: (text: String, elements: [String]), pieceByteCount: Int
    ) {
        let found = elements(test.text, pieceByteCount: pieceByteCount)
        #expect(found.elements == test.elements)
        #expect(found.isComplete)
    }

    @Test(arguments: ["", "[", "[{}", "[{", "{\"results\":[{}", "{\"a", "[{}, {\"a\":\"]}"])
    func `a text that was cut off is told`(text: String) {
        #expect(!elements(text).isComplete)
    }

    @Test func `what is no object is counted and left out`() {
        let found = elements("[1, \"a\", {}, null]")
        #expect(found.elements == ["{}"])
        #expect(found.strayCount == 3)
    }

    @Test func `an object that is too large is left out and the next one read`() {
        var scanner = JSONElementScanner()
        var found = 0
        let large = Array(
            ("[{\"a\":\"" + String(repeating: "x", count: JSONElementScanner.elementByteCountMax)).utf8)
        large.withUnsafeBytes { scanner.feed($0) { _ in found += 1 } }
        Array("\"},{}]".utf8).withUnsafeBytes { scanner.feed($0) { _ in found += 1 } }
        #expect(found == 1)
        let count = scanner.tooLargeCount
        #expect(count == 1)
        #expect(scanner.isComplete)
    }
}
