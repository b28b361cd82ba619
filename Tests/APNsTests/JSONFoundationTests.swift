import Testing

@testable import APNs

/// What is read is what Foundation's decoder reads.
@Suite struct JSONFoundationTests {
    @Test(arguments: 0..<20)
    func `a generated text is read as Foundation reads it`(seed: UInt64) throws {
        var writer = Writer(random: Seed(seed))
        for _ in 0..<200 {
            writer.output = []
            writer.value(depth: 0)
            let fault = JSONInvariants.text(writer.output)
            let text = String(decoding: writer.output, as: UTF8.self)
            #expect(fault == nil, "\(text)")
            #expect(throws: Never.self, "\(text)") { try JSONValue(parsing: writer.output) }
        }
    }

    /// The digits of a coordinate or a sum have to come back, and Foundation's other reader changes them.
    @Test(arguments: ["123456.78901234567", "0.30000000000000004", "5e-324", "2.2250738585072011e-308"])
    func `a number keeps every digit`(text: String) throws {
        #expect(try JSONValue(parsing: text) == .number(try #require(Double(text))))
    }

    /// Writes random JSON by the grammar, with every freedom it gives.
    private struct Writer {
        var random: Seed
        var output: [UInt8] = []

        private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

        private mutating func add(_ text: String) { output += Array(text.utf8) }

        private mutating func blanks() {
            if below(4) == 0 { add([" ", "\n", "\t", "\r\n", "  "][below(5)]) }
        }

        mutating func value(depth: Int) {
            blanks()
            switch below(depth < 8 ? 9 : 6) {
            case 0: add(["null", "true", "false"][below(3)])
            case 1, 2: number()
            case 3, 4, 5: string(prefix: "")
            case 6:
                add("[")
                for index in 0..<below(5) {
                    if index > 0 { add(",") }
                    value(depth: depth + 1)
                }
                blanks()
                add("]")
            default:
                add("{")
                for index in 0..<below(5) {
                    if index > 0 { add(",") }
                    blanks()
                    // No key comes twice: Foundation takes another value then.
                    string(prefix: "\(index)-")
                    blanks()
                    add(":")
                    value(depth: depth + 1)
                }
                blanks()
                add("}")
            }
            blanks()
        }

        private mutating func number() {
            let sign = below(3) == 0 ? "-" : ""
            switch below(6) {
            case 0: add(sign + String(below(100)))
            case 1: add(sign + String(UInt64.random(in: 0...UInt64(Int64.max), using: &random)))
            case 2: add(sign + "\(Double.random(in: 0..<1e6, using: &random))")
            case 3: add(sign + "\(below(1000)).\(below(1_000_000))e\(["", "+", "-"][below(3)])\(below(200))")
            case 4: add(sign + "\(below(10))E\(below(15))")
            default:
                add(["0", "-0", "0.0", "-0.0e0", "9223372036854775807", "-9223372036854775808"][below(6)])
            }
        }

        private mutating func string(prefix: String) {
            add("\"" + prefix)
            for _ in 0..<below(12) {
                switch below(8) {
                case 0: add(["\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t"][below(8)])
                case 1:
                    add(["\\u00e9", "\\uD83D\\uDE00", "\\u0000", "\\u2028", "\\ud7ff", "\\uFFFF"][below(6)])
                case 2: add(["é", "新", "😀", "e\u{301}", "👨‍👩‍👧", "\u{7f}", "\u{2028}"][below(7)])
                default: add(String(UnicodeScalar(UInt8(0x23 + below(0x38)))))
                }
            }
            add("\"")
        }
    }
}
