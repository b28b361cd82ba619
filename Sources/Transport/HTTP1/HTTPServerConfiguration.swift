extension HTTPServer {
    /// Where a server listens and what it puts up with.
    public struct Configuration: Sendable {
        /// An IPv4 or IPv6 address in numbers, or `localhost` for 127.0.0.1.
        ///
        /// `0.0.0.0` listens on every IPv4 address, `::` on every address of both kinds.
        public var host: String
        /// 0 lets the system choose; see ``HTTPServer/port``.
        public var port: UInt16
        /// Threads that read requests and write answers, at least 2; handlers run elsewhere.
        public var threadCount = 2

        /// Open connections; more wait, unaccepted, until one closes.
        public var connectionCountMax = 1024
        /// Open connections from one address, or nil for no such limit; more are answered 429.
        public var connectionCountMaxPerAddress: Int?

        /// Bytes of path and query together, as sent; longer ones are answered 414.
        public var targetByteCountMax = 8 << 10
        /// Bytes of request line and headers, as sent; longer ones are answered 431.
        public var headByteCountMax = 16 << 10
        /// Header fields; more are answered 431.
        public var headerCountMax = 100
        /// Bytes of a request's body; longer ones are answered 413.
        public var bodyByteCountMax = 1 << 20

        /// How long a connection may wait for its next request line, and for a client that takes nothing
        /// of its answer (this in whole seconds, rounded up).
        public var idleTimeout = Duration.seconds(60)
        /// From a request line to the request's last byte, however steadily it trickles; then 408.
        public var requestTimeout = Duration.seconds(30)
        /// From a request's last byte to its handler's answer; then 503, and the handler is cancelled.
        public var handlerTimeout = Duration.seconds(30)
        /// Between comments on an event stream that has nothing else to send; nil sends none.
        public var heartbeatInterval: Duration? = .seconds(15)

        /// Bytes of a body from which on it is compressed.
        public var compressionByteCountMin = 1024

        /// The answer to a request that never reaches the handler, of its status and what is wrong with it;
        /// for APIs whose errors have a form of their own.
        public var rejectionResponse: @Sendable (_ status: Int, _ message: String) -> HTTPResponse = {
            .error($0, $1)
        }

        /// Makes a configuration with everything else at its default.
        public init(host: String = "127.0.0.1", port: UInt16 = 0) {
            self.host = host
            self.port = port
        }

        /// Finds what cannot work.
        func validate() throws(TransportError) {
            for (name, value, minimum) in [
                ("threadCount", threadCount, 2), ("connectionCountMax", connectionCountMax, 1),
                ("connectionCountMaxPerAddress", connectionCountMaxPerAddress ?? 1, 1),
                ("targetByteCountMax", targetByteCountMax, 1), ("headByteCountMax", headByteCountMax, 64),
                ("headerCountMax", headerCountMax, 1), ("bodyByteCountMax", bodyByteCountMax, 0),
                ("compressionByteCountMin", compressionByteCountMin, 0),
            ] where value < minimum || value > 1 << 30 {
                throw TransportError(.argument, "\(name) must be \(minimum)...\(1 << 30), not \(value)")
            }
            for (name, value) in [
                ("idleTimeout", idleTimeout), ("requestTimeout", requestTimeout),
                ("handlerTimeout", handlerTimeout), ("heartbeatInterval", heartbeatInterval ?? .seconds(1)),
            ] where value <= .zero || value > .seconds(1 << 30) {
                throw TransportError(.argument, "\(name) must be positive and below 34 years, not \(value)")
            }
        }

        var timeLimits: HTTPConnectionMachine.Limits {
            HTTPConnectionMachine.Limits(
                idle: idleTimeout, request: requestTimeout, handler: handlerTimeout,
                heartbeat: heartbeatInterval)
        }

        var sizeLimits: RequestAssembler.Limits {
            RequestAssembler.Limits(
                head: RequestHead.Limits(
                    targetByteCountMax: targetByteCountMax, headByteCountMax: headByteCountMax,
                    headerCountMax: headerCountMax),
                bodyByteCountMax: bodyByteCountMax)
        }

        /// How often the clock is looked at: limits are kept to an eighth of the smallest.
        var sweepInterval: Duration {
            let smallest = min(idleTimeout, requestTimeout, handlerTimeout, heartbeatInterval ?? idleTimeout)
            return min(max(smallest / 8, .milliseconds(5)), .seconds(1))
        }
    }
}
