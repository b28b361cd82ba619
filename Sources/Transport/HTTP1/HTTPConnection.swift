internal import Glibc
internal import Synchronization

/// One connection of an ``HTTPServer``: the state machine with its socket, its handler's task and
/// libmicrohttpd's handle.
///
/// Callbacks come from the connection's own thread, time and hang-ups from the supervisor's, answers
/// from tasks. What touches the handle or the socket happens inside the mutex, so that it happens in the
/// order the machine decided; what may run foreign code (tasks, streams) happens after it.
final class HTTPConnection: Sendable {
    private struct State {
        var machine: HTTPConnectionMachine
        var assembler: RequestAssembler?
        var target = (address: UInt(0), byteCount: 0)
        var handler: Task<Void, Never>?
        var isSocketOpen = true
    }

    /// What the handler callback tells libmicrohttpd.
    enum Access {
        case goOn
        case cut
    }

    private enum Step {
        case goOn
        case cut
        case run(HTTPRequest, number: UInt64, isHTTP10: Bool)
        case send(HTTPResponse, isLast: Bool, HTTPConnectionMachine.Action)
    }

    let id: UInt64
    let remoteAddress: String
    private let handle: MHDConnection
    private let socket: Int32
    private let core: HTTPServerCore
    private let state: Mutex<State>

    init(id: UInt64, handle: MHDConnection, core: HTTPServerCore) {
        self.id = id
        self.handle = handle
        self.core = core
        socket = handle.socket
        remoteAddress = handle.remoteAddress
        state = Mutex(State(machine: HTTPConnectionMachine(limits: core.timeLimits, now: .now)))
    }

    // MARK: - On the connection's thread

    /// The request line has arrived.
    func begin(target: [UInt8], address: UInt, byteCount: Int) {
        state.withLock { state in
            state.machine.requestLineReceived(at: .now)
            state.assembler = RequestAssembler(target: target, limits: core.sizeLimits)
            state.target = (address, byteCount)
        }
    }

    /// libmicrohttpd wants text unescaped, which is ours to do.
    ///
    /// It asks for the path, and for arguments only if it found a query that ``begin`` did not take away:
    /// one behind a NUL byte. libmicrohttpd 0.9.75 spins when the arguments outgrow its memory.
    func unescape(address: UInt) {
        let isPath = state.withLock { $0.target.address == address }
        if !isPath { perform { $0.stop() } }
    }

    /// libmicrohttpd has the head, a piece of the body, or nothing more to give.
    func access(
        method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, body: UnsafeRawBufferPointer
    ) -> Access {
        let (hasHead, target) = state.withLock { ($0.assembler?.hasHead ?? false, $0.target) }
        let step: Step
        if !hasHead {
            let head = handle.head(
                method: method, version: version, targetAddress: target.address,
                targetByteCount: target.byteCount)
            step = state.withLock { receive(head, in: &$0) }
        } else if !body.isEmpty {
            step = state.withLock { $0.assembler?.receive(body: body) == true ? .goOn : .cut }
        } else {
            step = state.withLock { nextStep(in: &$0) }
        }
        switch step {
        case .goOn: return .goOn
        case .cut: return .cut
        case .run(let request, let number, let isHTTP10):
            run(request, number: number, isHTTP10: isHTTP10)
            return .goOn
        case .send(let response, let isLast, let action):
            perform(afterwards: action)
            return send(response, isLast: isLast)
        }
    }

    /// The answer has been sent, or the connection is closing.
    func completed() {
        let stream = state.withLock { state in
            state.assembler = nil
            state.handler = nil
            let (stream, cutsSocket) = state.machine.completed(at: .now)
            if cutsSocket { cutSocket(in: state) }
            return stream
        }
        stream?.detach()
    }

    /// The socket is about to be closed.
    func closed() {
        state.withLock { $0.isSocketOpen = false }
        core.closed(self)
    }

    private func receive(_ head: RequestHead, in state: inout State) -> Step {
        switch state.assembler?.receive(head) {
        case .readBody: .goOn
        case .reject(let rejection) where state.machine.rejected():
            .send(response(rejection), isLast: true, .none)
        case .reject, nil: .cut
        }
    }

    private func response(_ rejection: HTTPRejection) -> HTTPResponse {
        core.configuration.rejectionResponse(rejection.status, rejection.message)
    }

    private func nextStep(in state: inout State) -> Step {
        if let (response, action) = state.machine.takeAnswer(at: .now) {
            return .send(response, isLast: state.machine.isLastAnswer, action)
        }
        do throws(HTTPRejection) {
            guard let request = try state.assembler?.finish(remoteAddress: remoteAddress) else { return .cut }
            switch state.machine.requestReceived(at: .now) {
            case .cut: return .cut
            case .handle(let number):
                handle.suspend()
                return .run(request, number: number, isHTTP10: state.assembler?.isHTTP10 ?? false)
            }
        } catch {
            guard state.machine.rejected() else { return .cut }
            return .send(response(error), isLast: state.machine.isLastAnswer, .none)
        }
    }

    private func send(_ response: HTTPResponse, isLast: Bool) -> Access {
        if handle.queue(response, isLast: isLast) { return .goOn }
        let stream = state.withLock { $0.machine.answerRefused() }
        stream?.detach()
        return handle.queue(HTTPRejection.invalidResponse.response, isLast: isLast) ? .goOn : .cut
    }

    // MARK: - The handler

    private func run(_ request: HTTPRequest, number: UInt64, isHTTP10: Bool) {
        // Cancelled when its time is over, when the client goes or when the server stops; nobody waits for
        // it, because it answers through `answered`.
        let task = Task { [self] in
            var response = await core.handler(request)
            if request.method == "HEAD" { response = response.withoutEvents }
            response = ContentCoding.applied(
                to: response, acceptEncoding: request.headers.first(named: "accept-encoding"),
                byteCountMin: core.configuration.compressionByteCountMin)
            answered(number: number, with: response, isHTTP10: isHTTP10)
        }
        let isHandling = state.withLock { state in
            let isHandling = state.machine.isHandling(number: number)
            if isHandling { state.handler = task }
            return isHandling
        }
        if !isHandling { task.cancel() }
    }

    private func answered(number: UInt64, with response: HTTPResponse, isHTTP10: Bool) {
        var response = response
        if case .events(let stream) = response.body, !stream.attach(to: handle, hasChunks: !isHTTP10) {
            response = HTTPRejection.invalidResponse.response
        }
        let isInTime = state.withLock { state in
            guard state.machine.handlerAnswered(number: number, with: response) else { return false }
            state.handler = nil
            handle.resume()
            return true
        }
        if !isInTime, case .events(let stream) = response.body { stream.detach() }
    }

    // MARK: - On the supervisor's thread

    /// Looks at the clock.
    func timePassed(to now: ContinuousClock.Instant) { perform { $0.timePassed(to: now) } }

    /// The peer has closed its side.
    func peerClosed() { perform { $0.peerClosed(at: .now) } }

    /// Takes no further request.
    func drain() { perform { $0.drain() } }

    /// Ends now; afterwards the connection is not suspended and never will be again.
    func stop() { perform { $0.stop() } }

    private func perform(_ event: (inout HTTPConnectionMachine) -> HTTPConnectionMachine.Action) {
        let (action, handler) = state.withLock { state in
            let action = event(&state.machine)
            var handler: Task<Void, Never>?
            switch action {
            case .cut, .cutStream: cutSocket(in: state)
            case .reject(let rejection):
                if state.isSocketOpen { RawResponse.send(rejection, to: socket) }
                cutSocket(in: state)
            case .resumeWithoutHandler:
                handle.resume()
                swap(&handler, &state.handler)
            case .cancelHandler: handler = state.handler
            case .none, .heartbeat, .end: break
            }
            return (action, handler)
        }
        handler?.cancel()
        perform(afterwards: action)
    }

    private func perform(afterwards action: HTTPConnectionMachine.Action) {
        switch action {
        case .heartbeat(let stream): stream.heartbeat()
        case .end(let stream): stream.close()
        case .cutStream(let stream): stream.cut()
        case .none, .cut, .reject, .resumeWithoutHandler, .cancelHandler: break
        }
    }

    private func cutSocket(in state: State) {
        if state.isSocketOpen { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }
}
