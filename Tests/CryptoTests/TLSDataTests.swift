import Crypto
import Testing

struct TLSDataTests {
    let link: TLSLink

    init() throws {
        link = try TLSLink(TLSFixtures.get())
        let progress = try link.handshake()
        try #require(progress.client.isEstablished && progress.server.isEstablished)
    }

    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    @Test(arguments: [0, 1, 16383, 16384, 16385, 1_000_000])
    func `bytes arrive as they were written`(count: Int) throws {
        let sent = bytes(count)
        try link.client.write(sent)
        try link.moveBytes()
        let received = link.server.readAll(bufferByteCount: 10000)
        #expect(received.bytes == sent)
        #expect(received.end.needsInput)
        #expect(link.client.pendingOutputByteCount == 0)
    }

    @Test func `both directions work at once, one byte at a time`() throws {
        link.chunkByteCount = 1
        try link.client.write(bytes(300))
        try link.server.write(bytes(500))
        var atServer: [UInt8] = []
        var atClient: [UInt8] = []
        while try link.moveBytes() {
            atServer += link.server.readAll(bufferByteCount: 7).bytes
            atClient += link.client.readAll(bufferByteCount: 1).bytes
        }
        #expect(atServer == bytes(300))
        #expect(atClient == bytes(500))
    }

    @Test func `an idle session gives its memory back and goes on`() throws {
        for count in [1, 300_000, 5] {
            try link.client.write(bytes(count))
            link.client.releaseIdleMemory()
            try link.moveBytes()
            link.server.releaseIdleMemory()
            #expect(link.server.readAll().bytes == bytes(count))
            link.client.releaseIdleMemory()
            link.server.releaseIdleMemory()
        }
    }

    @Test func `output can be taken in place`() throws {
        try link.client.write(bytes(1000))
        let output = Array(link.client.pendingOutput)
        #expect(output.count == link.client.pendingOutputByteCount)
        link.client.dropOutput(100)
        #expect(Array(link.client.pendingOutput) == Array(output[100...]))
        link.client.dropOutput(output.count - 100)
        #expect(link.client.pendingOutputByteCount == 0)
        try link.server.receive(output)
        #expect(link.server.readAll().bytes == bytes(1000))
    }

    @Test func `a close is told apart from a cut`() throws {
        try link.client.write(bytes(10))
        link.client.sendCloseNotify()
        try link.moveBytes()
        link.server.receiveEnd()
        let received = link.server.readAll()
        #expect(received.bytes == bytes(10))
        #expect(received.end.isClosed)
        #expect(link.server.readAll().end.isClosed)
    }

    @Test func `after the peer's close the other direction still works`() throws {
        link.client.sendCloseNotify()
        try link.moveBytes()
        #expect(link.server.readAll().end.isClosed)
        try link.server.write(bytes(20))
        link.server.sendCloseNotify()
        try link.moveBytes()
        let received = link.client.readAll()
        #expect(received.bytes == bytes(20))
        #expect(received.end.isClosed)
    }

    @Test func `nothing can be written after the close`() throws {
        link.client.sendCloseNotify()
        link.client.sendCloseNotify()
        let error = #expect(throws: CryptoError.self) { try link.client.write(bytes(1)) }
        #expect(error?.code == .invalidState)
    }

    @Test(arguments: [0, 3, 50])
    func `a stream that ends without a close is truncated`(lostByteCount: Int) throws {
        try link.client.write(bytes(100))
        let output = link.client.output()
        try link.server.receive(Array(output.dropLast(lostByteCount)))
        link.server.receiveEnd()
        let received = link.server.readAll()
        #expect(received.bytes == (lostByteCount == 0 ? bytes(100) : []))
        #expect(received.end.error?.code == .truncated)
        #expect(received.end.error?.message.contains("without a TLS close") == true)
        #expect(link.server.readAll().end.error?.code == .truncated)
    }

    @Test func `what came before the damage is still read`() throws {
        try link.client.write(bytes(100))
        let good = link.client.output()
        try link.client.write(bytes(100))
        var bad = link.client.output()
        bad[bad.count - 1] ^= 1
        try link.server.receive(good + bad)
        let received = link.server.readAll()
        #expect(received.bytes == bytes(100))
        #expect(received.end.error?.code == .protocolViolation)
        #expect(link.server.pendingOutputByteCount > 0)
        #expect(throws: CryptoError.self) { try link.server.write(bytes(1)) }

        try link.moveBytes()
        #expect(link.client.readAll().end.error?.code == .peerAlert)
    }

    @Test func `garbage after the handshake fails the session`() throws {
        try link.server.receive(bytes(64))
        #expect(link.server.readAll().end.error?.code == .protocolViolation)
        #expect(link.server.handshake().error?.code == .protocolViolation)
    }

    @Test func `too much unread input is refused`() throws {
        let block = [UInt8](repeating: 0x17, count: TLSSession.inputByteCountMax)
        try link.server.receive(block)
        let error = #expect(throws: CryptoError.self) { try link.server.receive([1]) }
        #expect(error?.code == .invalidState)
    }

    @Test func `an empty buffer reads nothing`() throws {
        try link.client.write(bytes(5))
        try link.moveBytes()
        let result = link.server.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        guard case .bytes(0) = result else { throw CryptoError(.internalFailure, "\(result)") }
        #expect(link.server.readAll().bytes == bytes(5))
    }

    @Test func `plain bytes need a handshake first`() throws {
        let fresh = try TLSLink(TLSFixtures.get())
        #expect(throws: CryptoError.self) { try fresh.client.write(bytes(1)) }
        #expect(fresh.client.readAll().end.needsInput)
        fresh.client.sendCloseNotify()
        #expect(fresh.client.pendingOutputByteCount == 0)
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "plain HTTP"), ("SSH-2.0-OpenSSH_9.2\r\n", "SSH server"),
        ("\0\0\u{12}\u{4}\0\0\0\0\0", "HTTP/2 in plain text"), ("220 mail.example.com ESMTP\r\n", "no TLS"),
        ("HTTP/", "plain HTTP"),
    ])
    func `a server that speaks no TLS is told so`(greeting: String, words: String) throws {
        let fresh = try TLSLink(TLSFixtures.get())
        _ = fresh.client.handshake()
        try fresh.client.receive(Array(greeting.utf8))
        fresh.client.receiveEnd()
        let error = try #require(fresh.client.handshake().error)
        #expect(error.code == .notTLS)
        #expect(error.message.contains(words))
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\0\0\0\0\0\0",
        "POST /3/device/x HTTP/1.1\r\n",
    ])
    func `a client that speaks no TLS is told so`(greeting: String) throws {
        let fresh = try TLSLink(TLSFixtures.get())
        try fresh.server.receive(Array(greeting.utf8))
        #expect(fresh.server.handshake().error?.code == .notTLS)
    }

    @Test func `a handshake cut at any byte never succeeds`() throws {
        let fixtures = try TLSFixtures.get()
        let hello = try TLSLink(fixtures)
        _ = hello.client.handshake()
        let helloBytes = hello.client.output()
        for count in stride(from: 0, to: helloBytes.count, by: 7) {
            let fresh = try TLSLink(fixtures)
            try fresh.server.receive(Array(helloBytes[..<count]))
            fresh.server.receiveEnd()
            let error = fresh.server.handshake().error
            #expect(error?.code == .truncated)
            #expect(error?.message.contains("during the TLS handshake") == true)
        }
    }

    @Test func `a handshake damaged at any byte never succeeds and never crashes`() throws {
        let fixtures = try TLSFixtures.get()
        var position = 0
        while true {
            let fresh = try TLSLink(fixtures)
            _ = fresh.client.handshake()
            _ = try fresh.move(from: fresh.client, to: fresh.server)
            _ = fresh.server.handshake()
            var flight = fresh.server.output()
            guard position < flight.count else { return }
            flight[position] ^= 0x55
            try fresh.client.receive(flight)
            #expect(!fresh.client.handshake().isEstablished, "byte \(position)")
            position += 13
        }
    }
}
