/// Makes broken input out of good input, the same for the same seed.
struct Mutator {
    private var random: Seed
    private let inputs: [[UInt8]]

    /// Pieces that parsers stumble over.
    private static let pieces: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ":", ",", "null", "true", "-", "0", "1e999", "-0.0", "\\u0000",
            "\\ud800", "\\udc00\\ud800", "9223372036854775808", "{\"aps\":", "\"aps\"", "\"alert\":",
            "\"event\":\"end\"", "\u{feff}", "e\u{301}", "👨‍👩‍👧", "\u{0}", "\n", ".", "..", "=", "_-", "'", "//",
        ].map { Array($0.utf8) } + [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]

    init(seed: UInt64, inputs: [[UInt8]]) {
        random = Seed(seed)
        self.inputs = inputs
    }

    /// One input with one to eight faults.
    mutating func next() -> [UInt8] {
        var text = inputs.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...8, using: &random) { mutate(&text) }
        return text
    }

    private mutating func mutate(_ text: inout [UInt8]) {
        let range = range(in: text)
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where !range.isEmpty: text[range.lowerBound] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: text.insert(UInt8.random(in: 0...255, using: &random), at: range.lowerBound)
        case 2: text.removeSubrange(range)
        case 3: text.insert(contentsOf: text[range], at: range.upperBound)
        case 4:
            text.replaceSubrange(range.prefix(4), with: Mutator.pieces.randomElement(using: &random) ?? [])
        case 5:
            let other = inputs.randomElement(using: &random) ?? []
            text.replaceSubrange(range, with: other[self.range(in: other)])
        default:
            text.insert(contentsOf: Mutator.pieces.randomElement(using: &random) ?? [], at: range.lowerBound)
        }
    }

    /// A range that is short more often than long.
    private mutating func range(in text: [UInt8]) -> Range<Int> {
        let start = Int.random(in: 0...text.count, using: &random)
        let longest = text.count - start
        let count = Bool.random(using: &random) ? min(longest, 8) : longest
        return start..<start + Int.random(in: 0...count, using: &random)
    }
}
