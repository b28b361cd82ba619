/// Sends single requests over one HTTP/2 connection, opened when needed: for calls made now and then.
///
/// Callable from any thread. What was certainly not processed is sent again on a new connection.
public final class HTTP2RequestClient: Sendable {
    private let loop: EventLoop
    private let connector: HTTP2Connector
    private let answerTimeout: Duration
    private let core: LoopBound<Core>

    /// Makes a client; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - connector: where to.
    ///   - loop: where the connection lives; outlives the client.
    ///   - answerTimeout: for one request, connecting included.
    public init(connector: HTTP2Connector, loop: EventLoop, answerTimeout: Duration = .seconds(30)) {
        self.connector = connector
        self.loop = loop
        self.answerTimeout = answerTimeout
        core = LoopBound(loop: loop)
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: a ``TransportError``; with code `timeout` or `connectionLost` the request may have been
    ///   processed.
    public func send(_ request: HTTP2Request) async throws(TransportError) -> HTTP2Response {
        let result: Result<HTTP2Response, TransportError> = await withCheckedContinuation { continuation in
            let isRunning = loop.execute { [self] in
                let core = core.value ?? Core(connector: connector, loop: loop)
                self.core.value = core
                core.enqueue(request, timeout: answerTimeout) { continuation.resume(returning: $0) }
            }
            if !isRunning {
                continuation.resume(returning: .failure(TransportError(.closed, "the event loop ended")))
            }
        }
        return try result.get()
    }

    /// Closes the connection once its answers have come.
    public func close() {
        loop.execute { [self] in core.value?.close() }
    }

    /// Lets requests from now on go over a new connection; the old one is closed after its answers.
    public func replaceConnection() {
        loop.execute { [self] in core.value?.replaceConnection() }
    }

    /// What happens on the loop.
    private final class Core: HTTP2ConnectionHandler {
        private final class Exchange {
            let request: HTTP2Request
            var answer: ((Result<HTTP2Response, TransportError>) -> Void)?
            var timer: EventLoopTimer?
            var stream: HTTP2Stream?
            weak var connection: HTTP2Connection?
            var replayCount = 0

            init(
                request: HTTP2Request, answer: @escaping (Result<HTTP2Response, TransportError>) -> Void
            ) {
                self.request = request
                self.answer = answer
            }

            func finish(_ result: Result<HTTP2Response, TransportError>) {
                timer?.cancel()
                answer?(result)
                answer = nil
            }
        }

        private let connector: HTTP2Connector
        private let loop: EventLoop
        private var connection: HTTP2Connection?
        private var waiting: [Exchange] = []
        private var open: [Int: Exchange] = [:]
        private var nextTag = 0
        private var isClosing = false

        private static let replayCountMax = 3

        init(connector: HTTP2Connector, loop: EventLoop) {
            self.connector = connector
            self.loop = loop
        }

        func enqueue(
            _ request: HTTP2Request, timeout: Duration,
            answer: @escaping (Result<HTTP2Response, TransportError>) -> Void
        ) {
            let exchange = Exchange(request: request, answer: answer)
            exchange.timer = loop.schedule(after: timeout) { [unowned self, unowned exchange] in
                timedOut(exchange)
            }
            waiting.append(exchange)
            fill()
        }

        func close() {
            isClosing = true
            closeIfDone()
        }

        func replaceConnection() {
            let old = connection
            connection = nil
            // Closes as soon as no stream is open.
            old?.closeAfterFlush()
        }

        // MARK: HTTP2ConnectionHandler

        func connectionReady(_ connection: HTTP2Connection) {
            fill()
        }

        func connectionChangedSettings(_ connection: HTTP2Connection) {
            fill()
        }

        func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream]) {
            for stream in streams {
                guard let exchange = open.removeValue(forKey: stream.tag) else { continue }
                exchange.stream = nil
                finish(exchange, stream)
            }
            fill()
            closeIfDone()
        }

        func connectionClosed(_ connection: HTTP2Connection, error: TransportError?) {
            if let current = self.connection, current !== connection { return }
            self.connection = nil
            let error = error ?? TransportError(.connectionLost, "the connection was closed")
            if connection.isReady {
                fill()
            } else {
                // It never stood: trying again at once would not help those who wait.
                for exchange in waiting { exchange.finish(.failure(error)) }
                waiting.removeAll()
            }
        }

        private func finish(_ exchange: Exchange, _ stream: HTTP2Stream) {
            if stream.isComplete, let status = stream.fields.first(named: ":status").flatMap({ Int($0) }) {
                exchange.finish(
                    .success(HTTP2Response(status: status, fields: stream.fields, body: stream.body)))
            } else if stream.errorCode == .refusedStream || !stream.isFullySent,
                exchange.replayCount < Self.replayCountMax
            {
                exchange.replayCount += 1
                waiting.append(exchange)
            } else {
                exchange.finish(
                    .failure(
                        TransportError(.connectionLost, "the stream ended with \(stream.errorCode)")))
            }
        }

        private func timedOut(_ exchange: Exchange) {
            waiting.removeAll { $0 === exchange }
            if let stream = exchange.stream {
                open[stream.tag] = nil
                exchange.connection?.reset(stream, errorCode: .cancel)
                exchange.connection?.flush()
            }
            exchange.finish(.failure(TransportError(.timeout, "\(connector.host) did not answer in time")))
        }

        private func fill() {
            guard !waiting.isEmpty else { return }
            guard let connection, !connection.hasReceivedGoAway else { return connect() }
            while let exchange = waiting.first, connection.mayOpenStreams,
                connection.openStreamCount < connection.peerMaxConcurrentStreams
            {
                let tag = nextTag
                nextTag += 1
                let fields = Self.fields(exchange.request, connector)
                guard
                    let stream = connection.open(fields: fields, body: exchange.request.body, tag: tag)
                else { return }
                waiting.removeFirst()
                exchange.stream = stream
                exchange.connection = connection
                open[tag] = exchange
            }
            connection.flush()
        }

        private func connect() {
            if let connection, connection.openStreamCount > 0 { return }
            do {
                connection = try connector.connect(on: loop, handler: self)
            } catch {
                for exchange in waiting { exchange.finish(.failure(error)) }
                waiting.removeAll()
            }
        }

        private func closeIfDone() {
            if isClosing, open.isEmpty, waiting.isEmpty { connection?.closeAfterFlush() }
        }

        private static func fields(_ request: HTTP2Request, _ connector: HTTP2Connector) -> HTTP2Fields {
            let host = connector.host.contains(":") ? "[\(connector.host)]" : connector.host
            var fields = HTTP2Fields()
            fields.append(name: ":method", value: request.method)
            fields.append(name: ":scheme", value: "https")
            fields.append(
                name: ":authority", value: connector.port == 443 ? host : "\(host):\(connector.port)")
            fields.append(name: ":path", value: request.path)
            for (name, value) in request.fields { fields.append(name: name, value: value) }
            return fields
        }
    }
}
