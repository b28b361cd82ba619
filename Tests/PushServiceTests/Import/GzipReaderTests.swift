import Testing

@testable import Transport

struct GzipReaderTests {
    private func unpack(
        _ bytes: [UInt8], pieceByteCount: Int
    ) throws(TransportError) -> (plain: [UInt8], isComplete: Bool) {
        let reader = try GzipReader()
        var plain: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
            let piece = Array(bytes[start..<min(start + pieceByteCount, bytes.count)])
            try piece.withUnsafeBytes { piece -> Result<Void, TransportError> in
                do throws(TransportError) {
                    return .success(try reader.unpack(piece) { plain.append(contentsOf: $0) })
                } catch {
                    return .failure(error)
                }
            }.get()
        }
        return (plain, reader.isComplete)
    }

    @Test(arguments: [1, 7, 1000, 1 << 20])
    func `members one after the other are unpacked whatever pieces they come in`(pieceByteCount: Int) throws {
        let first = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 1000) }
        let second = Array("the end".utf8)
        let packed = try #require(Gzip.compress(first)) + (try #require(Gzip.compress(second)))
        let result = try unpack(packed, pieceByteCount: pieceByteCount)
        #expect(result.plain == first + second)
        #expect(result.isComplete)
    }

    @Test func `a file that was cut off is not complete, a damaged one is refused`() throws {
        let packed = try #require(Gzip.compress(Array("some text".utf8)))
        for count in 1..<packed.count {
            #expect(try !unpack(Array(packed.prefix(count)), pieceByteCount: 5).isComplete)
        }
        var damaged = packed
        damaged[packed.count - 6] ^= 1
        #expect(throws: TransportError.self) { try unpack(damaged, pieceByteCount: 100) }
        #expect(throws: TransportError.self) { try unpack(Array("no gzip at all".utf8), pieceByteCount: 100) }
    }
}
