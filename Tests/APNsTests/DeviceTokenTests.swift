import Testing

@testable import APNs

@Suite struct DeviceTokenTests {
    @Test(arguments: [1, 7, 8, 9, 31, 32, 33, 54, 80, 99, 100])
    func `a token of any size up to 100 bytes survives hexadecimal`(byteCount: Int) throws {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        let token = try DeviceToken(bytes: bytes)
        #expect(token.byteCount == byteCount)
        #expect(token.bytes == bytes)
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(token.hexString == digits)
        #expect(try DeviceToken(hex: digits) == token)
        #expect(try DeviceToken(hex: digits.uppercased()) == token)
        #expect(try DeviceToken(hex: digits).hashValue == token.hashValue)
        var output: [UInt8] = [1]
        token.appendHex(to: &output)
        #expect(output == [1] + Array(digits.utf8))
    }

    @Test(arguments: [
        ("", "2 to 200 digits, not 0"),
        ("abc", "even number of digits, not 3"),
        ("00 1", "byte 2 is something else"),
        ("0x12", "byte 1 is something else"),
        ("éé", "byte 0 is something else"),
        (String(repeating: "ab", count: 101), "2 to 200 digits, not 202"),
    ])
    func `what is no token is refused with the reason`(text: String, message: String) {
        let error = #expect(throws: APNsError.self) { try DeviceToken(hex: text) }
        #expect(error?.code == .invalidDeviceToken)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `every byte that is no digit is refused at every place`() {
        let digits = Array("00112233445566778899aabbccddeeff".utf8)
        let allowed = Set("0123456789abcdefABCDEF".utf8)
        for place in digits.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = digits
                changed[place] = byte
                let token = changed.withUnsafeBytes { DeviceToken(hexUTF8: $0) }
                #expect((token != nil) == allowed.contains(byte))
            }
        }
    }

    @Test func `no bytes and 101 bytes are refused`() {
        #expect(throws: APNsError.self) { try DeviceToken(bytes: []) }
        #expect(throws: APNsError.self) { try DeviceToken(bytes: Array(repeating: 1, count: 101)) }
    }

    @Test func `tokens that differ in size or in a late byte are different`() throws {
        #expect(try DeviceToken(hex: "00") != DeviceToken(hex: "0000"))
        let long = try DeviceToken(bytes: Array(repeating: 7, count: 54))
        var bytes = long.bytes
        bytes[53] = 8
        #expect(try DeviceToken(bytes: bytes) != long)
        #expect(try DeviceToken(bytes: Array(repeating: 7, count: 32)) != long)
    }

    @Test func `the description hides most of the token`() throws {
        let token = try DeviceToken(hex: String(repeating: "0123456789abcdef", count: 4))
        #expect("\(token)" == "01234567…")
        #expect(try "\(DeviceToken(hex: "abcd"))" == "ab…")
    }
}
