/// A hash that is the same in each process and on each device: FNV-1a, 64 bits.
///
/// It tells whether a pending request still says what it should; Swift's own hashes change with each start.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds a text, and where it ends.
    mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte) }
        combine(0xff)
    }

    /// Adds a text that may be missing.
    mutating func combine(_ text: String?) {
        guard let text else { return combine(0xfe) }
        combine(text)
    }

    private mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    var text: String { String(value, radix: 16) }
}
