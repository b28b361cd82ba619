import Synchronization

@testable import Transport

/// A TCP relay that a test can make swallow everything, and a proxy for CONNECT.
final class TestRelay: Sendable {
    /// What happens to a new connection.
    enum Mode: Sendable {
        /// Forwarded to a port of the loopback address.
        case relay(to: Int)
        /// Reads the head of a CONNECT request, grants it, forwards to a port.
        case tunnel(to: Int)
        /// Reads a head and answers with this, then says nothing.
        case answer(String)
    }

    /// What the relay has seen.
    fileprivate final class Log: Sendable {
        let heads = Mutex<[String]>([])
        let connections = Signal()
    }

    /// The connections; loop-confined.
    private final class Roster {
        var pairs: [RelayPair] = []
    }

    let port: Int
    private let loop: EventLoop
    private let roster: LoopBound<Roster>
    private let log = Log()

    init(_ mode: Mode) async throws {
        let loop = EventLoop(name: "test-relay")
        let roster = LoopBound<Roster>(loop: loop)
        let log = log
        self.loop = loop
        self.roster = roster
        port = try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                roster.value = Roster()
                do {
                    guard let address = SocketAddress(literal: "127.0.0.1", port: 0) else { return }
                    let listener = try TCPListener(address: address, loop: loop) { listener in
                        let socket = TCPStream(loop: loop)
                        guard (try? socket.accept(from: listener)) != nil else { return socket.close() }
                        let pair = RelayPair(near: socket, mode: mode, loop: loop, log: log)
                        roster.value?.pairs.append(pair)
                        pair.start()
                        log.connections.fire()
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

    /// The heads of the requests to the proxy.
    var heads: [String] { log.heads.withLock { $0 } }

    /// How many connections have come.
    var connectionCount: Int { log.connections.count }

    /// Swallows every byte of the connections there are, from now on, without closing them.
    func freeze() async {
        await withCheckedContinuation { continuation in
            loop.execute { [roster] in
                for pair in roster.value?.pairs ?? [] { pair.isFrozen = true }
                continuation.resume()
            }
        }
    }

    /// One connection and the one it is forwarded to; loop-confined.
    fileprivate final class RelayPair {
        var isFrozen = false
        private let near: TCPStream
        private let mode: Mode
        private let loop: EventLoop
        private let log: Log
        private var far: TCPStream?
        private var isFarReady = false
        private var waiting: [UInt8] = []
        private var head: [UInt8] = []
        private var hasHead = false

        init(near: TCPStream, mode: Mode, loop: EventLoop, log: Log) {
            self.near = near
            self.mode = mode
            self.loop = loop
            self.log = log
        }

        func start() {
            if case .relay(let port) = mode {
                hasHead = true
                reach(port)
            }
            near.start(delegate: End(pair: self, isNear: true))
        }

        func received(_ bytes: UnsafeRawBufferPointer, isNear: Bool) {
            guard !isFrozen else { return }
            guard isNear else { return near.write(bytes) }
            guard hasHead else { return readHead(bytes) }
            if isFarReady { far?.write(bytes) } else { waiting += bytes }
        }

        func ended(isNear: Bool) {
            guard !isFrozen else { return }
            if isNear { far?.close() } else { near.close() }
        }

        private func readHead(_ bytes: UnsafeRawBufferPointer) {
            head += bytes
            let text = String(decoding: head, as: UTF8.self)
            guard text.hasSuffix("\r\n\r\n") else { return }
            hasHead = true
            log.heads.withLock { $0.append(text) }
            switch mode {
            case .relay: break
            case .tunnel(let port): reach(port)
            case .answer(let answer): write(answer)
            }
        }

        private func write(_ text: String) {
            Array(text.utf8).withUnsafeBytes { near.write($0) }
        }

        private func reach(_ port: Int) {
            guard let address = SocketAddress(literal: "127.0.0.1", port: port) else { return }
            let far = TCPStream(loop: loop)
            self.far = far
            far.connect(to: address) { [self] error in
                guard error == nil else { return near.close() }
                far.start(delegate: End(pair: self, isNear: false))
                isFarReady = true
                if case .tunnel = mode { write("HTTP/1.1 200 Connection established\r\n\r\n") }
                waiting.withUnsafeBytes { far.write($0) }
                waiting = []
            }
        }
    }

    /// One side of a pair.
    private final class End: TCPStream.Delegate {
        private let pair: RelayPair
        private let isNear: Bool

        init(pair: RelayPair, isNear: Bool) {
            self.pair = pair
            self.isNear = isNear
        }

        func received(_ bytes: UnsafeRawBufferPointer) { pair.received(bytes, isNear: isNear) }
        func drained() {}
        func ended(_ error: TransportError?) { pair.ended(isNear: isNear) }
    }
}
