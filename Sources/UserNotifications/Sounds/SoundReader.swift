internal import Foundation

/// Reads numbers and names anywhere in a file; nil beyond its end.
struct SoundReader {
    let handle: FileHandle
    let byteCount: UInt64

    private func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard offset < byteCount, (try? handle.seek(toOffset: offset)) != nil,
            let data = try? handle.read(upToCount: count), data.count == count
        else { return nil }
        return Array(data)
    }

    func text(at offset: UInt64, count: Int) -> String? {
        bytes(at: offset, count: count).map { String(decoding: $0, as: UTF8.self) }
    }

    func big(at offset: UInt64, count: Int) -> UInt64? {
        bytes(at: offset, count: count)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    func little(at offset: UInt64, count: Int) -> UInt64? {
        bytes(at: offset, count: count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number of 80 bits: sign and exponent, then 64 bits of which the first stands before the point.
    func extended(at offset: UInt64) -> Double? {
        guard let head = big(at: offset, count: 2), let digits = big(at: offset + 2, count: 8), head < 0x7fff
        else { return nil }
        return Double(digits) * pow(2, Double(Int(head) - 16_383 - 63))
    }
}
