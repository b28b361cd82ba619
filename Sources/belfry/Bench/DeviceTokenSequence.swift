internal import APNs

/// Endless distinct device tokens of the usual 32 bytes; the same ones each time.
struct DeviceTokenSequence: Sendable {
    private var bytes = [UInt8](repeating: 0xBE, count: 32)
    private var counter: UInt64 = 0

    mutating func next() -> DeviceToken? {
        counter += 1
        // The counter's bits are mixed, so that tokens differ in more than their last digits.
        var mixed = counter &* 0x9E37_79B9_7F4A_7C15
        for index in 8..<16 {
            bytes[index] = UInt8(truncatingIfNeeded: mixed)
            mixed >>= 8
        }
        return try? DeviceToken(bytes: bytes)
    }
}
