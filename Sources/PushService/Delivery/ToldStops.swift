internal import Synchronization

/// Which pushes' stops have been told: each is told once, though several batches on their way meet the same fault.
///
/// Callable from any task.
final class ToldStops: Sendable {
    /// How many are remembered: pushes that nobody resumes are cancelled without a word here.
    private static let countMax = 10_000

    private struct State {
        var time: Int64 = 0
        /// When each was told, by numbers of pushes.
        var told: [Int64: Int64] = [:]
    }

    private let state = Mutex(State())

    /// Whether a stop has not been told yet; from now on it has.
    func isNew(push number: Int64) -> Bool {
        state.withLock { state in
            state.time += 1
            guard state.told.updateValue(state.time, forKey: number) == nil else { return false }
            if state.told.count > Self.countMax, let oldest = state.told.min(by: { $0.value < $1.value }) {
                state.told[oldest.key] = nil
            }
            return true
        }
    }

    /// The present, for ``resume(push:since:)``.
    var time: Int64 { state.withLock { $0.time } }

    /// Notes that a push was found running: somebody has resumed it, and its next stop is told again.
    ///
    /// - Parameter time: the present before it was looked up; a stop that was told later came after the look.
    func resume(push number: Int64, since time: Int64) {
        state.withLock { state in
            guard let told = state.told[number], told <= time else { return }
            state.told[number] = nil
        }
    }
}
