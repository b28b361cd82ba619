import Crypto
import Synchronization

@testable import Transport

/// Speaks TLS with ALPN `h2` and then says nothing: no SETTINGS ever come. Keeps the frames it gets.
final class MuteServer: Sendable {
    let port: Int
    private let loop: EventLoop
    private let received: Received

    init() async throws {
        let identity = try ScriptedTrust.authority.issueServerIdentity(
            hostNames: ["localhost"], validity: .days(1, from: WallClock.system.secondsSince1970))
        let context = try TLSContext.server(
            identity: identity, clientCertificates: .none, applicationProtocols: ["h2"])
        let loop = EventLoop(name: "test-mute")
        self.loop = loop
        let received = Received()
        self.received = received
        port = try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                do {
                    guard let address = SocketAddress(literal: "127.0.0.1", port: 0) else { return }
                    let listener = try TCPListener(address: address, loop: loop) { listener in
                        let socket = TCPStream(loop: loop)
                        guard (try? socket.accept(from: listener)) != nil,
                            let tls = try? TLSSession(server: context)
                        else { return socket.close() }
                        socket.start(delegate: Peer(socket: socket, tls: tls, received: received))
                    }
                    continuation.resume(returning: listener.port)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    deinit {
        loop.shutdown()
    }

    /// The types of the HTTP/2 frames that came after the connection preface (RFC 9113 §4.1).
    var frameTypes: [UInt8] {
        let bytes = received.bytes.withLock { $0 }
        var types: [UInt8] = []
        var offset = 24
        while offset + 9 <= bytes.count {
            let count = Int(bytes[offset]) << 16 | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
            types.append(bytes[offset + 3])
            offset += 9 + count
        }
        return types
    }

    private final class Received: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    private final class Peer: TCPStream.Delegate {
        private let socket: TCPStream
        private let tls: TLSSession
        private let received: Received
        private var isOpen = false

        init(socket: TCPStream, tls: TLSSession, received: Received) {
            self.socket = socket
            self.tls = tls
            self.received = received
        }

        func received(_ bytes: UnsafeRawBufferPointer) {
            try? tls.receive(bytes)
            if !isOpen {
                if case .established = tls.handshake() { isOpen = true }
                socket.write(tls.pendingOutput)
                tls.dropOutput(tls.pendingOutput.count)
            }
            guard isOpen else { return }
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            while true {
                let result = buffer.withUnsafeMutableBytes { tls.read(into: $0) }
                guard case .bytes(let count) = result else { return }
                received.bytes.withLock { $0 += buffer[..<count] }
            }
        }

        func drained() {}
        func ended(_ error: TransportError?) {}
    }
}
