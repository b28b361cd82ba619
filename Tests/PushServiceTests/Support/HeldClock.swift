import PushService
import Recurrence
import Synchronization

/// A clock that stands still until a test moves it, and knows who sleeps by it.
final class HeldClock: DeliveryClock {
    private struct Sleeper {
        var id: Int
        var end: Duration
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var elapsed = Duration.zero
        var offsetSeconds: Int64 = 0
        var sleepers: [Sleeper] = []
        var nextID = 0
        var watching: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private static let start = Instant(secondsSince1970: 1_800_000_000)
    private let state = Mutex(State())

    var now: Instant {
        let (elapsed, offsetSeconds) = state.withLock { ($0.elapsed, $0.offsetSeconds) }
        return Self.start.advanced(bySeconds: elapsed.components.seconds + offsetSeconds)
    }

    var elapsed: Duration { state.withLock { $0.elapsed } }

    func sleep(for duration: Duration) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, watcher) = state.withLock { state in
                    guard duration > .zero, !Task.isCancelled else {
                        return (true, Optional<CheckedContinuation<Void, Never>>.none)
                    }
                    state.sleepers.append(
                        Sleeper(id: id, end: state.elapsed + duration, continuation: continuation))
                    guard let watching = state.watching, watching.count == state.sleepers.count else {
                        return (false, nil)
                    }
                    state.watching = nil
                    return (false, watching.continuation)
                }
                if isOver { continuation.resume() }
                watcher?.resume()
            }
        } onCancel: {
            let found = state.withLock { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            found?.continuation.resume()
        }
    }

    /// Puts the clock on the wall forward, or back; whoever sleeps sleeps on.
    func set(forwardBySeconds seconds: Int64) { state.withLock { $0.offsetSeconds += seconds } }

    /// Waits until so many sleep.
    func wait(forSleepers count: Int) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.sleepers.count == count { return true }
                state.watching = (count, continuation)
                return false
            }
            if isSo { continuation.resume() }
        }
    }

    /// Moves on; wakes those whose time has come.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            let due = state.sleepers.filter { $0.end <= state.elapsed }
            state.sleepers.removeAll { $0.end <= state.elapsed }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
