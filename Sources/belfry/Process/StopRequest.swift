internal import Synchronization

/// Lets a verb that runs until it is told to stop hear of SIGINT and SIGTERM.
///
/// A verb that never asked dies of the first signal, as any program does. One that waits is woken by the first
/// and can end its work; the second ends the process at once.
final class StopRequest: Sendable {
    /// The rules, without threads: an event in, an action out.
    struct Machine: Sendable {
        enum Action: Hashable, Sendable {
            /// End the process with the shell's exit code for this signal.
            case exit(code: Int32)
            /// Wake the verb that waits.
            case wake
            case none
        }

        private(set) var isAwaited = false
        private(set) var signal: Int32?

        /// A verb begins to wait; it needs no waking when the signal is there already.
        mutating func waitBegan() -> Action {
            isAwaited = true
            return signal == nil ? .none : .wake
        }

        mutating func received(_ number: Int32) -> Action {
            guard isAwaited, signal == nil else { return .exit(code: 128 + number) }
            signal = number
            return .wake
        }
    }

    private struct State: Sendable {
        var machine = Machine()
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// From now on the first signal is for ``wait()``, also when it arrives before that.
    ///
    /// Call it before a line says that the verb works: who reads the line may send a signal at once.
    func expect() {
        state.withLock { _ = $0.machine.waitBegan() }
    }

    /// Returns when the process is told to stop, or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.machine.waitBegan() == .none, !Task.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            resumeWaiter()
        }
    }

    /// Whether somebody waits, or waited.
    var isAwaited: Bool { state.withLock { $0.machine.isAwaited } }

    /// A signal arrived.
    ///
    /// - Returns: the exit code to end the process with at once; nil to go on.
    func received(_ signal: Int32) -> Int32? {
        switch state.withLock({ $0.machine.received(signal) }) {
        case .exit(let code): return code
        case .wake: resumeWaiter()
        case .none: break
        }
        return nil
    }

    private func resumeWaiter() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
