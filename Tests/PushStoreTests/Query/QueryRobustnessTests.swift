import APNs
import FoundationEssentials
import Testing

struct QueryRobustnessTests {
    /// What the fuzzer starts from, and what it once stumbled over.
    @Test(arguments: ["where", "cql"])
    func `the fuzzer's inputs break nothing`(target: String) throws {
        let invariants = try QueryInvariants()
        for (name, text) in try QueryRobustnessTests.corpus(target) {
            let fault = target == "where" ? invariants.whereClause(text) : invariants.cql(text)
            #expect(fault == nil, "\(name)")
        }
    }

    @Test(arguments: ["where", "cql"], 0..<8)
    func `no changed input breaks anything`(target: String, seed: UInt64) throws {
        let invariants = try QueryInvariants()
        let inputs = try QueryRobustnessTests.corpus(target).map(\.text)
        var random = SeededRandom(seed: seed)
        for _ in 0..<400 {
            var text = random.pick(inputs)
            for _ in 0...random.below(4) { QueryRobustnessTests.change(&text, inputs, &random) }
            let fault = target == "where" ? invariants.whereClause(text) : invariants.cql(text)
            #expect(fault == nil, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    private static let parts = [
        "$or", "$and", "$not", "$in", "$gt", "$regex", "__type", "Date", "null", "1e308", "-0", "\\u0000",
        "\"", "{", "}", "[", "]",
        "\u{0}", "'", "(", ")", " and ", " or ", " not ", "9223372036854775808", "\u{301}",
    ]

    private static func change(_ text: inout [UInt8], _ inputs: [[UInt8]], _ random: inout SeededRandom) {
        guard !text.isEmpty else {
            text = random.pick(inputs)
            return
        }
        let place = random.below(text.count)
        switch random.below(5) {
        case 0: text[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: text.removeSubrange(place..<min(text.count, place + 1 + random.below(8)))
        case 2: text.insert(contentsOf: random.pick(parts).utf8, at: place)
        case 3:
            let other = random.pick(inputs)
            let start = random.below(other.count)
            text.insert(contentsOf: other[start..<min(other.count, start + random.below(30))], at: place)
        default: text[place] ^= 1 << UInt8(random.below(8))
        }
    }

    private static func corpus(_ target: String) throws -> [(name: String, text: [UInt8])] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/corpus/\(target)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        try #require(names.count > 5)
        return try names.sorted().map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
    }
}
