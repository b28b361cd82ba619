/// Reads numbers of a file, never past its end.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int
    private let name: String

    init(_ bytes: ArraySlice<UInt8>, name: String) {
        self.bytes = bytes
        self.name = name
        position = bytes.startIndex
    }

    var remainingCount: Int { bytes.endIndex - position }

    mutating func take(_ count: Int) throws(BelfryKitError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remainingCount else {
            throw BelfryKitError(
                code: .sound,
                message:
                    "\(name): found \(remainingCount) bytes where \(count) should follow; allowed: a whole file"
            )
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func littleEndian(_ count: Int) throws(BelfryKitError) -> Int {
        try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// - Returns: the bits as they are: a number of 8 bytes may come out negative.
    mutating func bigEndian(_ count: Int) throws(BelfryKitError) -> Int64 {
        try take(count).reduce(0) { $0 << 8 | Int64($1) }
    }

    mutating func code() throws(BelfryKitError) -> String { String(decoding: try take(4), as: UTF8.self) }
}

/// A number as so many bytes, the low one first.
func littleEndianBytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// A number as so many bytes, the high one first.
func bigEndianBytes(_ value: Int, _ count: Int) -> [UInt8] { littleEndianBytes(value, count).reversed() }
