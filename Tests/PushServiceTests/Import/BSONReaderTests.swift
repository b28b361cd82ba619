import APNs
@testable import PushService
import Testing

struct BSONReaderTests {
    /// A document of some elements, each as type, name and content (bsonspec.org).
    static func document(_ elements: [(type: UInt8, name: String, content: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        for element in elements { body += [element.type] + Array(element.name.utf8) + [0] + element.content }
        return little(UInt32(body.count + 5)) + body + [0]
    }

    static func little<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func text(_ text: String) -> [UInt8] {
        little(UInt32(text.utf8.count + 1)) + Array(text.utf8) + [0]
    }

    static let installation = document([
        (0x07, "_id", [0x51, 0xfc, 0xb7, 0x4e, 0xe4, 0xb0, 0x74, 0xac, 0x5c, 0x34, 0xcf, 0x85]),
        (0x02, "deviceType", text("ios")), (0x09, "updatedAt", little(Int64(1_796_000_000_123))),
        (0x10, "level", little(Int32(-3))), (0x12, "big", little(Int64(1) << 40)),
        (0x01, "half", little((0.5).bitPattern)), (0x01, "whole", little((2.0).bitPattern)),
        (0x01, "nan", little(Double.nan.bitPattern)), (0x08, "valid", [1]), (0x0a, "nothing", []),
        (0x04, "channels", document([(0x02, "0", text("a")), (0x02, "1", text("新闻"))])),
        (
            0x03, "user",
            document([
                (0x02, "__type", text("Pointer")), (0x02, "className", text("_User")),
                (0x02, "objectId", text("u1")),
            ])
        ),
    ])

    @Test func `a document gives the values the REST API shows`() {
        #expect(
            BSONReader.fields(Self.installation) == [
                "_id": "51fcb74ee4b074ac5c34cf85", "deviceType": "ios",
                "updatedAt": ["__type": "Date", "iso": "2026-11-30T00:53:20.123Z"], "level": -3,
                "big": .integer(1 << 40), "half": 0.5, "whole": 2, "nan": .null, "valid": true,
                "nothing": .null,
                "channels": ["a", "新闻"],
                "user": ["__type": "Pointer", "className": "_User", "objectId": "u1"],
            ])
    }

    @Test(arguments: [1, 3, 64, 4096])
    func `documents are found whatever pieces they come in`(pieceByteCount: Int) throws {
        let stream = Self.installation + Self.document([]) + Self.installation
        var reader = BSONReader()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: stream.count, by: pieceByteCount) {
            let piece = Array(stream[start..<min(start + pieceByteCount, stream.count)])
            try piece.withUnsafeBytes { try reader.feed($0) { found.append($0) } }
        }
        #expect(found == [Self.installation, Self.document([]), Self.installation])
        #expect(reader.isComplete)
    }

    @Test(arguments: [[UInt8]([0, 0, 0, 0]), [4, 0, 0, 0], [255, 255, 255, 127], [1, 0, 0, 1]])
    func `a length that cannot be one ends the stream`(bytes: [UInt8]) {
        var reader = BSONReader()
        #expect(throws: ImportError.self) { try bytes.withUnsafeBytes { try reader.feed($0) { _ in } } }
    }

    @Test func `damaged documents are refused and never read beyond their end`() {
        for index in 4..<Self.installation.count {
            for value: UInt8 in [0, 1, 0x7f, 0xff] {
                var damaged = Self.installation
                damaged[index] = value
                _ = BSONReader.fields(damaged)
            }
            #expect(BSONReader.fields(Array(Self.installation.prefix(index))) == nil)
        }
        let deep = (0..<40).reduce(Self.document([])) { inner, _ in Self.document([(0x03, "a", inner)]) }
        #expect(BSONReader.fields(deep) == nil)
    }
}
