internal import Synchronization

/// The thread of an ``HTTPServer`` that accepts, watches the clock and ends the server.
///
/// Everything that blocks happens here: waiting, and joining libmicrohttpd's threads.
final class HTTPServerSupervisor: Sendable {
    private struct State {
        var deadline: ContinuousClock.Instant?
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isFinished = false
    }

    private let core: HTTPServerCore
    private let daemon: MHDDaemon
    private let listener: ListeningSocket
    private let state = Mutex(State())

    /// Starts the thread, which keeps this object until it has ended.
    init(core: HTTPServerCore, daemon: MHDDaemon, listener: ListeningSocket) {
        self.core = core
        self.daemon = daemon
        self.listener = listener
    }

    /// Asks for the end; the earliest deadline counts.
    ///
    /// Callable from any thread, more than once.
    ///
    /// - Parameter waiting: resumed once everything has ended.
    func stop(by deadline: ContinuousClock.Instant, waiting: CheckedContinuation<Void, Never>?) {
        let isFinished = state.withLock { state in
            guard !state.isFinished else { return true }
            state.deadline = min(state.deadline ?? deadline, deadline)
            if let waiting { state.waiting.append(waiting) }
            return false
        }
        if isFinished { waiting?.resume() } else { core.watch.wakeUp() }
    }

    /// The thread's body.
    func run() {
        var run = Run(interval: core.configuration.sweepInterval)
        while !turn(&run) {}
        core.stop()
        daemon.stop()
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// What the thread keeps from turn to turn.
    private struct Run {
        let interval: Duration
        var isListening = false
        var isDraining = false
        var nextSweep = ContinuousClock.now
        /// Set when the system had no room for a connection.
        var pausedUntil: ContinuousClock.Instant?
    }

    private static let pauseWhenExhausted = Duration.milliseconds(100)
    private static let acceptedPerTurnMax = 64

    /// Waits once and handles what has happened.
    ///
    /// - Returns: whether it is time to end.
    private func turn(_ run: inout Run) -> Bool {
        updateListening(&run)
        for event in core.watch.wait(upTo: timeout(of: run)) {
            switch event {
            case .wokenUp: break
            case .connectionWaits: acceptConnections(&run)
            case .hangUp(let id): core.connection(id)?.peerClosed()
            }
        }
        let now = ContinuousClock.now
        if now >= run.nextSweep {
            run.nextSweep = now + run.interval
            for connection in core.connections { connection.timePassed(to: now) }
        }
        guard let deadline = state.withLock({ $0.deadline }) else { return false }
        if !run.isDraining {
            run.isDraining = true
            listener.close()
            core.drain()
        }
        return now >= deadline || core.acceptedCount == 0
    }

    private func timeout(of run: Run) -> Duration? {
        let now = ContinuousClock.now
        var until: [ContinuousClock.Instant] = []
        if core.acceptedCount > 0 { until.append(run.nextSweep) }
        if let pausedUntil = run.pausedUntil { until.append(pausedUntil) }
        if run.isDraining, let deadline = state.withLock({ $0.deadline }) { until.append(deadline) }
        return until.min().map { $0 - now }
    }

    /// Listens while there is room, so that a full server does not spin on waiting connections.
    private func updateListening(_ run: inout Run) {
        guard !run.isDraining else { return }
        if let pausedUntil = run.pausedUntil, pausedUntil <= .now { run.pausedUntil = nil }
        let hasRoom = run.pausedUntil == nil && core.acceptedCount < core.configuration.connectionCountMax
        guard hasRoom != run.isListening else { return }
        run.isListening = hasRoom
        if hasRoom {
            core.watch.watch(listener: listener.socket)
        } else {
            core.watch.ignore(listener: listener.socket)
        }
    }

    private func acceptConnections(_ run: inout Run) {
        for _ in 0..<Self.acceptedPerTurnMax where core.acceptedCount < core.configuration.connectionCountMax
        {
            switch listener.accept() {
            case .none: return
            case .exhausted:
                run.pausedUntil = .now + Self.pauseWhenExhausted
                return
            case .connection(let accepted): add(accepted)
            }
        }
    }

    private func add(_ accepted: AcceptedSocket) {
        let address = accepted.remoteAddress
        guard core.admit(address) else {
            RawResponse.send(HTTPRejection(429, "too many connections from \(address)"), to: accepted.socket)
            accepted.close()
            return
        }
        accepted.setUserTimeout(core.configuration.idleTimeout)
        if !daemon.add(accepted) { core.dismiss(address) }
    }
}
