import Synchronization

@testable import Transport

/// Accepts connections, reads what comes and never says a word.
final class SilentListener: Sendable {
    private let loop = EventLoop(name: "test-silence")
    let port: Int

    init() async throws {
        let loop = loop
        port = try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                do {
                    guard let address = SocketAddress(literal: "127.0.0.1", port: 0) else { return }
                    let listener = try TCPListener(address: address, loop: loop) { listener in
                        let socket = TCPStream(loop: loop)
                        try? socket.accept(from: listener)
                        socket.start(delegate: Sink())
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

    private final class Sink: TCPStream.Delegate {
        func received(_ bytes: UnsafeRawBufferPointer) {}
        func drained() {}
        func ended(_ error: TransportError?) {}
    }
}
