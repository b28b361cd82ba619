import FoundationEssentials
import Testing

/// What a fuzz target starts from, and what it once stumbled over; whole, or with faults that a seed decides.
struct FuzzCorpus {
    let inputs: [(name: String, bytes: [UInt8])]
    private var state: UInt64

    init(_ target: String, seed: UInt64 = 0) throws {
        // Tests/PushServiceTests/Support/FuzzCorpus.swift is four steps down.
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = root.appending(path: "Fuzz/corpus/\(target)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        try #require(names.count > 5)
        inputs = try names.sorted().map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
        state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    }

    private static let pieces: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ":", ",", "{{", "}}", "|", "{{evil}}", "null", "1e308", "\\u0000",
            "{\"results\":[", "alert-zh", "__type", "\u{feff}", "👨‍👩‍👧",
        ].map { Array($0.utf8) } + [[0xff], [0x00], [0x05, 0, 0, 0, 0], [0xff, 0xff, 0xff, 0x7f]]

    /// One input with one to four faults.
    mutating func next() -> [UInt8] {
        var bytes = inputs[below(inputs.count)].bytes
        for _ in 0...below(4) {
            let place = below(bytes.count + 1)
            let end = min(bytes.count, place + below(9))
            switch below(5) {
            case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: Self.pieces[below(Self.pieces.count)], at: place)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                let other = inputs[below(inputs.count)].bytes
                bytes.insert(contentsOf: other[below(other.count + 1)...].prefix(40), at: place)
            }
        }
        return bytes
    }

    /// SplitMix64.
    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
