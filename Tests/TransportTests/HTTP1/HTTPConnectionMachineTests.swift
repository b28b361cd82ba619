import Testing

@testable import Transport

/// Every event in every phase, with a clock of its own.
struct HTTPConnectionMachineTests {
    private static let start = ContinuousClock.now

    private static func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private static func machine() -> HTTPConnectionMachine {
        HTTPConnectionMachine(
            limits: .init(
                idle: .seconds(60), request: .seconds(30), handler: .seconds(10), heartbeat: .seconds(5)),
            now: start)
    }

    /// A machine whose handler has been running since second 2.
    private static func handling() throws -> (HTTPConnectionMachine, UInt64) {
        var machine = machine()
        machine.requestLineReceived(at: time(1))
        guard case .handle(let number) = machine.requestReceived(at: time(2)) else {
            throw HTTPRejection(0, "not handled")
        }
        return (machine, number)
    }

    private static func streaming(_ stream: EventStream) throws -> HTTPConnectionMachine {
        var (machine, number) = try handling()
        #expect(machine.handlerAnswered(number: number, with: .events(stream)) == true)
        #expect(machine.takeAnswer(at: time(3)) != nil)
        return machine
    }

    private static func name(_ action: HTTPConnectionMachine.Action) -> String {
        switch action {
        case .none: "none"
        case .cut: "cut"
        case .reject(let rejection): "reject \(rejection.status)"
        case .resumeWithoutHandler: "resume"
        case .cancelHandler: "cancel"
        case .heartbeat: "heartbeat"
        case .end: "end"
        case .cutStream: "cut stream"
        }
    }

    @Test func `an idle connection is cut at its limit, not before`() {
        var machine = Self.machine()
        #expect(Self.name(machine.timePassed(to: Self.time(59.9))) == "none")
        #expect(Self.name(machine.timePassed(to: Self.time(60))) == "cut")
        #expect(Self.name(machine.timePassed(to: Self.time(600))) == "none")
        guard case .cut = machine.requestReceived(at: Self.time(601)) else {
            Issue.record("a request of a connection being cut is handled")
            return
        }
        let (stream, cutsSocket) = machine.completed(at: Self.time(602))
        #expect(stream == nil && !cutsSocket)
    }

    @Test func `a request is counted from its line`() {
        var machine = Self.machine()
        machine.requestLineReceived(at: Self.time(50))
        // A second request line is not one.
        machine.requestLineReceived(at: Self.time(79))
        #expect(Self.name(machine.timePassed(to: Self.time(79.9))) == "none")
        #expect(Self.name(machine.timePassed(to: Self.time(80))) == "reject 408")
        #expect(machine.rejected() == false)
    }

    @Test func `a handler is answered for at its limit, and answers in vain`() throws {
        var (machine, number) = try Self.handling()
        #expect(machine.isHandling(number: number))
        #expect(machine.takeAnswer(at: Self.time(3)) == nil)
        #expect(Self.name(machine.timePassed(to: Self.time(11.9))) == "none")
        #expect(Self.name(machine.timePassed(to: Self.time(12))) == "resume")
        #expect(Self.name(machine.timePassed(to: Self.time(13))) == "none")
        #expect(machine.handlerAnswered(number: number, with: HTTPResponse()) == false)
        #expect(machine.takeAnswer(at: Self.time(13))?.response.status == 503)
        #expect(machine.takeAnswer(at: Self.time(13)) == nil)
        #expect(Self.name(machine.timePassed(to: Self.time(500))) == "none")
        _ = machine.completed(at: Self.time(500))
        #expect(Self.name(machine.timePassed(to: Self.time(559))) == "none")

        // The answer of the first request's handler is not taken for the second's.
        machine.requestLineReceived(at: Self.time(559))
        _ = machine.requestReceived(at: Self.time(559))
        #expect(machine.handlerAnswered(number: number, with: HTTPResponse()) == false)
        #expect(machine.handlerAnswered(number: number + 1, with: HTTPResponse()) == true)
        #expect(machine.handlerAnswered(number: number + 1, with: HTTPResponse()) == false)
    }

    @Test func `a stream has heartbeats until it is over`() throws {
        let stream = EventStream()
        var machine = try Self.streaming(stream)
        #expect(Self.name(machine.timePassed(to: Self.time(7.9))) == "none")
        #expect(Self.name(machine.timePassed(to: Self.time(8))) == "heartbeat")
        #expect(Self.name(machine.timePassed(to: Self.time(12.9))) == "none")
        #expect(Self.name(machine.timePassed(to: Self.time(13))) == "heartbeat")
        let (over, cutsSocket) = machine.completed(at: Self.time(14))
        #expect(over === stream)
        #expect(!cutsSocket)
        #expect(Self.name(machine.timePassed(to: Self.time(19))) == "none")
    }

    @Test func `a stream nobody takes is over with its request`() throws {
        var (machine, number) = try Self.handling()
        let stream = EventStream()
        #expect(machine.handlerAnswered(number: number, with: .events(stream)) == true)
        let (over, _) = machine.completed(at: Self.time(3))
        #expect(over === stream)
    }

    @Test func `an answer that was refused gives its stream back`() throws {
        let stream = EventStream()
        var machine = try Self.streaming(stream)
        #expect(machine.answerRefused() === stream)
        #expect(machine.answerRefused() == nil)
        let (over, _) = machine.completed(at: Self.time(4))
        #expect(over == nil)
    }

    @Test func `a peer's end means what the phase makes of it`() throws {
        var idle = Self.machine()
        #expect(Self.name(idle.peerClosed(at: Self.time(5))) == "none")
        #expect(Self.name(idle.timePassed(to: Self.time(5.9))) == "none")
        // What was on its way had its second.
        #expect(Self.name(idle.timePassed(to: Self.time(6))) == "cut")

        var receiving = Self.machine()
        receiving.requestLineReceived(at: Self.time(1))
        #expect(Self.name(receiving.peerClosed(at: Self.time(5))) == "none")
        #expect(Self.name(receiving.timePassed(to: Self.time(6))) == "reject 408")

        var (handling, number) = try Self.handling()
        #expect(Self.name(handling.peerClosed(at: Self.time(5))) == "cancel")
        let stream = EventStream()
        #expect(handling.handlerAnswered(number: number, with: .events(stream)) == true)
        let taken = handling.takeAnswer(at: Self.time(6))
        let answer = try #require(taken)
        #expect(answer.response.status == 503)
        #expect(Self.name(answer.action) == "end")
        _ = handling.completed(at: Self.time(7))
        #expect(Self.name(handling.timePassed(to: Self.time(8))) == "cut")

        var streaming = try Self.streaming(stream)
        #expect(Self.name(streaming.peerClosed(at: Self.time(5))) == "cut stream")
    }

    @Test func `draining cuts what is idle and lets the rest finish`() throws {
        var idle = Self.machine()
        #expect(Self.name(idle.drain()) == "cut")

        var receiving = Self.machine()
        receiving.requestLineReceived(at: Self.time(1))
        #expect(!receiving.isLastAnswer)
        #expect(Self.name(receiving.drain()) == "none")
        #expect(receiving.isLastAnswer)
        guard case .handle(let number) = receiving.requestReceived(at: Self.time(2)) else {
            Issue.record("not handled")
            return
        }
        let stream = EventStream()
        #expect(receiving.handlerAnswered(number: number, with: .events(stream)) == true)
        let taken = receiving.takeAnswer(at: Self.time(3))
        let answer = try #require(taken)
        #expect(answer.response.status == 200)
        #expect(Self.name(answer.action) == "end")
        let (over, cutsSocket) = receiving.completed(at: Self.time(4))
        #expect(over === stream)
        #expect(cutsSocket)

        var streaming = try Self.streaming(EventStream())
        #expect(Self.name(streaming.drain()) == "end")
    }

    @Test func `stopping resumes what is suspended, once, and suspends nothing more`() throws {
        var (handling, number) = try Self.handling()
        #expect(Self.name(handling.stop()) == "resume")
        #expect(Self.name(handling.stop()) == "none")
        #expect(handling.handlerAnswered(number: number, with: HTTPResponse()) == false)
        #expect(handling.takeAnswer(at: Self.time(3))?.response.status == 503)

        var (answered, answeredNumber) = try Self.handling()
        #expect(answered.handlerAnswered(number: answeredNumber, with: .events(EventStream())) == true)
        #expect(Self.name(answered.stop()) == "none")
        #expect(answered.takeAnswer(at: Self.time(3))?.response.status == 503)

        var receiving = Self.machine()
        receiving.requestLineReceived(at: Self.time(1))
        #expect(Self.name(receiving.stop()) == "cut")
        guard case .cut = receiving.requestReceived(at: Self.time(2)) else {
            Issue.record("handled after the end")
            return
        }
        var streaming = try Self.streaming(EventStream())
        #expect(Self.name(streaming.stop()) == "cut stream")
    }
}

/// Limits and framing without a socket; what a socket shows is in `HTTPServerMalformedTests`.
struct RequestAssemblerTests {
    private static let limits = RequestAssembler.Limits(
        head: .init(targetByteCountMax: 10, headByteCountMax: 100, headerCountMax: 3), bodyByteCountMax: 5)

    private static func head(
        _ fields: [(String, String)] = [("Host", "h")], method: String = "POST", byteCount: Int = 50,
        isHTTP10: Bool = false, isIntact: Bool = true
    ) -> RequestHead {
        RequestHead(
            method: method, target: [], isHTTP10: isHTTP10,
            fields: fields.map { HTTPHeaders.Field(name: $0.0, value: $0.1) }, byteCount: byteCount,
            isIntact: isIntact)
    }

    /// 0 where the body is to be read.
    private static func status(of head: RequestHead, target: String = "/") -> Int {
        var assembler = RequestAssembler(target: Array(target.utf8), limits: limits)
        switch assembler.receive(head) {
        case .readBody: return 0
        case .reject(let rejection): return rejection.status
        }
    }

    @Test func `each limit of the head is kept to the byte`() {
        #expect(Self.status(of: Self.head(), target: "/234567890") == 0)
        #expect(Self.status(of: Self.head(), target: "/2345678901") == 414)
        #expect(Self.status(of: Self.head(byteCount: 100)) == 0)
        #expect(Self.status(of: Self.head(byteCount: 101)) == 431)
        #expect(Self.status(of: Self.head([("Host", "h"), ("a", ""), ("b", "")])) == 0)
        #expect(Self.status(of: Self.head([("Host", "h"), ("a", ""), ("b", ""), ("c", "")])) == 431)
    }

    @Test func `hosts are counted by version`() {
        #expect(Self.status(of: Self.head([])) == 400)
        #expect(Self.status(of: Self.head([], isHTTP10: true)) == 0)
        #expect(Self.status(of: Self.head([("Host", "a"), ("host", "b")], isHTTP10: true)) == 400)
    }

    @Test func `a length beyond the limit is refused, at once when it is hopeless`() throws {
        for (length, isRefusedAtOnce) in [
            (5, false), (6, false), (5 + RequestAssembler.excessByteCountMax, false),
            (6 + RequestAssembler.excessByteCountMax, true),
        ] {
            let head = Self.head([("Host", "h"), ("Content-Length", "\(length)")])
            #expect(Self.status(of: head) == (isRefusedAtOnce ? 413 : 0))
        }
        let asking = Self.head([("Host", "h"), ("Content-Length", "6"), ("Expect", "100-CONTINUE")])
        #expect(Self.status(of: asking) == 413)
    }

    @Test func `a body is kept to its limit and then dropped`() throws {
        for (pieces, expected) in [(["abc", "de"], "abcde"), (["abc", "def"], nil)] {
            var assembler = RequestAssembler(target: [0x2F], limits: Self.limits)
            #expect(assembler.receive(Self.head()) == .readBody)
            for piece in pieces {
                let goesOn = Array(piece.utf8).withUnsafeBytes { assembler.receive(body: $0) }
                #expect(goesOn)
            }
            if let expected {
                #expect(try assembler.finish(remoteAddress: "").body == Array(expected.utf8))
            } else {
                let rejection = #expect(throws: HTTPRejection.self) {
                    try assembler.finish(remoteAddress: "")
                }
                #expect(rejection?.status == 413)
            }
        }
    }

    @Test func `more than the excess cuts`() {
        var assembler = RequestAssembler(target: [0x2F], limits: Self.limits)
        #expect(assembler.receive(Self.head([("Host", "h"), ("Transfer-Encoding", "Chunked")])) == .readBody)
        let most = [UInt8](repeating: 0, count: 5 + RequestAssembler.excessByteCountMax)
        #expect(most.withUnsafeBytes { assembler.receive(body: $0) })
        #expect([0].withUnsafeBytes { !assembler.receive(body: UnsafeRawBufferPointer(rebasing: $0[..<1])) })
    }
}
