/// Where one connection stands between its requests and their answers, without socket and clock.
///
/// ```
///  idle ──request line──▶ receiving ──whole──▶ handling ──handler or deadline──▶ answered
///   ▲                        │                                                      │ taken
///   │                        └──rejected──▶ sending ◀───────────bytes───────────────┤
///   └──────────────completed─────────────────┴──── streaming ◀───────events─────────┘
/// ```
///
/// While `handling`, libmicrohttpd's connection is suspended. The event that leaves `handling` resumes
/// it, and there is one such event for each request: that is what keeps a connection from being resumed
/// twice, or touched after it is gone. After ``stop()`` nothing enters `handling` any more.
struct HTTPConnectionMachine: Sendable {
    typealias Instant = ContinuousClock.Instant

    struct Limits: Sendable {
        /// From the end of one answer to the end of the next request line.
        var idle: Duration
        /// From the request line to the body's last byte.
        var request: Duration
        /// From the body's last byte to the handler's answer.
        var handler: Duration
        /// Between comments on an event stream; nil sends none.
        var heartbeat: Duration?
    }

    enum Phase: Sendable {
        case idle
        case receiving
        case handling
        case answered(HTTPResponse)
        case sending
        case streaming(EventStream)
        case cut
    }

    enum Action: Sendable {
        case none
        /// Shut the socket down; whoever reads or writes it notices.
        case cut
        /// Say why, then shut the socket down.
        case reject(HTTPRejection)
        /// Resume the connection; the handler is not waited for any longer.
        case resumeWithoutHandler
        /// Tell the handler that nobody waits for it.
        case cancelHandler
        case heartbeat(EventStream)
        /// Send what waits, then end.
        case end(EventStream)
        /// Shut the socket down and drop what waits.
        case cutStream(EventStream)
    }

    enum Start: Sendable {
        /// Suspend the connection and run the handler; `number` tells its answer from a late one.
        case handle(number: UInt64)
        case cut
    }

    /// What a peer that has closed its side may still have on its way.
    private static let hangUpGrace = Duration.seconds(1)

    private let limits: Limits
    private(set) var phase = Phase.idle
    private var number: UInt64 = 0
    private var deadline: Instant?
    private var isDraining = false
    private var isStopped = false
    private var peerHasClosed = false

    init(limits: Limits, now: Instant) {
        self.limits = limits
        deadline = now + limits.idle
    }

    /// Whether the answer being sent is the connection's last.
    var isLastAnswer: Bool { isDraining || isStopped }

    /// The request line is complete.
    mutating func requestLineReceived(at now: Instant) {
        guard case .idle = phase else { return }
        phase = .receiving
        deadline = now + (peerHasClosed ? min(Self.hangUpGrace, limits.request) : limits.request)
    }

    /// The server answers a request it has not read to its end.
    ///
    /// - Returns: false when the connection is being cut already.
    mutating func rejected() -> Bool {
        guard case .receiving = phase else { return false }
        phase = .sending
        deadline = nil
        return true
    }

    /// The request is complete.
    mutating func requestReceived(at now: Instant) -> Start {
        guard case .receiving = phase, !isStopped else { return .cut }
        phase = .handling
        number += 1
        deadline = now + limits.handler
        return .handle(number: number)
    }

    /// A handler answered.
    ///
    /// - Returns: whether to resume the connection; false when the answer came too late.
    mutating func handlerAnswered(number: UInt64, with response: HTTPResponse) -> Bool {
        guard case .handling = phase, number == self.number else { return false }
        phase = .answered(response)
        deadline = nil
        return true
    }

    /// Takes the answer once, to send it.
    ///
    /// - Returns: the answer, and what to do with its stream first.
    mutating func takeAnswer(at now: Instant) -> (response: HTTPResponse, action: Action)? {
        guard case .answered(let response) = phase else { return nil }
        guard case .events(let stream) = response.body else {
            phase = .sending
            return (response, .none)
        }
        guard !isStopped, !peerHasClosed else {
            phase = .sending
            return (HTTPRejection.stopping.response, .end(stream))
        }
        phase = .streaming(stream)
        deadline = limits.heartbeat.map { now + $0 }
        return (response, isDraining ? .end(stream) : .none)
    }

    /// The answer taken last cannot be sent.
    ///
    /// - Returns: its stream.
    mutating func answerRefused() -> EventStream? {
        guard case .streaming(let stream) = phase else { return nil }
        phase = .sending
        deadline = nil
        return stream
    }

    /// Whether this request's handler is still waited for.
    func isHandling(number: UInt64) -> Bool {
        if case .handling = phase { return number == self.number }
        return false
    }

    /// The answer has been sent, or the connection is closing.
    ///
    /// - Returns: the stream that is over by that, and whether to close the connection.
    mutating func completed(at now: Instant) -> (stream: EventStream?, cutsSocket: Bool) {
        var over: EventStream?
        switch phase {
        case .streaming(let stream): over = stream
        case .answered(let response):
            if case .events(let stream) = response.body { over = stream }
        case .cut: return (nil, false)
        case .idle, .receiving, .handling, .sending: break
        }
        phase = .idle
        deadline = now + (peerHasClosed ? min(Self.hangUpGrace, limits.idle) : limits.idle)
        return (over, isLastAnswer)
    }

    /// Looks at the clock.
    mutating func timePassed(to now: Instant) -> Action {
        guard let deadline, now >= deadline else { return .none }
        self.deadline = nil
        switch phase {
        case .idle:
            phase = .cut
            return .cut
        case .receiving:
            phase = .cut
            return .reject(.requestTooSlow)
        case .handling:
            phase = .answered(HTTPRejection.handlerTooSlow.response)
            return .resumeWithoutHandler
        case .streaming(let stream):
            self.deadline = limits.heartbeat.map { now + $0 }
            return .heartbeat(stream)
        case .answered, .sending, .cut:
            return .none
        }
    }

    /// The peer closed its side.
    ///
    /// libmicrohttpd misses that while the connection is suspended, and when the end arrives together
    /// with the last bytes.
    mutating func peerClosed(at now: Instant) -> Action {
        peerHasClosed = true
        switch phase {
        case .handling: return .cancelHandler
        case .streaming(let stream): return .cutStream(stream)
        case .idle, .receiving:
            deadline = min(deadline ?? now, now + Self.hangUpGrace)
            return .none
        case .answered, .sending, .cut: return .none
        }
    }

    /// Takes no further request; what runs may finish.
    mutating func drain() -> Action {
        isDraining = true
        switch phase {
        case .idle:
            phase = .cut
            deadline = nil
            return .cut
        case .streaming(let stream): return .end(stream)
        case .receiving, .handling, .answered, .sending, .cut: return .none
        }
    }

    /// Ends now.
    mutating func stop() -> Action {
        isDraining = true
        isStopped = true
        deadline = nil
        switch phase {
        case .handling:
            phase = .answered(HTTPRejection.stopping.response)
            return .resumeWithoutHandler
        case .streaming(let stream):
            return .cutStream(stream)
        case .answered, .cut:
            return .none
        case .idle, .receiving, .sending:
            phase = .cut
            return .cut
        }
    }
}
