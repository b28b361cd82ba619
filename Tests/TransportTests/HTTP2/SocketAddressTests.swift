import Testing

@testable import Transport

struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::1", "::1"), ("::", "::"),
        ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::ffff:1.2.3.4", "::ffff:1.2.3.4"),
    ])
    func `literals of both families are read`(literal: String, text: String) {
        let address = SocketAddress(literal: literal, port: 2197)
        #expect(address?.text == text)
        #expect(address?.withPointer { SocketAddress.port(of: $0) } == 2197)
    }

    @Test(arguments: [
        "", "localhost", "127.0.0.256", "127.0.0", "1.2.3.4 ", "[::1]", "::g", "1.2.3.4:80", "12345::",
    ])
    func `what is no address is none`(text: String) {
        #expect(SocketAddress(literal: text, port: 1) == nil)
    }

    @Test(arguments: [
        (-1, false), (0, true), (65_535, true), (65_536, false), (Int.max, false), (Int.min, false),
    ])
    func `ports reach from 0 to 65535`(port: Int, isValid: Bool) {
        #expect((SocketAddress(literal: "127.0.0.1", port: port) != nil) == isValid)
    }
}
