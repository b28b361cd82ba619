internal import Recurrence

/// Does steps of some work, one after another, until there is nothing to do; pauses end early when there is something new.
final class WorkLoop: Sendable {
    /// What follows a step.
    enum Next: Sendable {
        /// Another step.
        case again
        /// Another step at a moment, or when the loop is woken.
        case pause(until: Instant)
        /// Nothing until the loop is woken.
        case done
    }

    private struct Contents: Sendable {
        var isRunning = false
        /// Grows with every call of `wake`, so that a call during a step is not lost.
        var wakeCount = 0
        var pause: Task<Void, Never>?
        var pauseEnd: Instant?
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    private let contents = Guarded(Contents())
    private let platform: any ApplicationPlatform

    init(_ platform: any ApplicationPlatform) {
        self.platform = platform
    }

    /// There is something to do.
    ///
    /// - Parameter step: the work; that of the first call runs until the loop is done.
    func wake(_ step: @escaping @Sendable () async -> Next) {
        let begins = contents.withLock { contents in
            contents.wakeCount += 1
            contents.pause?.cancel()
            contents.pause = nil
            defer { contents.isRunning = true }
            return !contents.isRunning
        }
        // Ends when there is nothing to do; what it works on lives as long as the app.
        if begins { Task { await run(step) } }
    }

    @concurrent private func run(_ step: @Sendable () async -> Next) async {
        while true {
            let wakeCount = contents.withLock { $0.wakeCount }
            switch await step() {
            case .again: break
            case .done:
                let idle = contents.withLock { contents -> [CheckedContinuation<Void, Never>]? in
                    guard contents.wakeCount == wakeCount else { return nil }
                    contents.isRunning = false
                    defer { contents.idle = [] }
                    return contents.idle
                }
                guard let idle else { break }
                for continuation in idle { continuation.resume() }
                return
            case .pause(let instant):
                let (pause, idle) = contents.withLock {
                    contents -> (Task<Void, Never>?, [CheckedContinuation<Void, Never>]) in
                    guard contents.wakeCount == wakeCount else { return (nil, []) }
                    let pause = Task { [platform] in await platform.wait(until: instant) }
                    contents.pause = pause
                    contents.pauseEnd = instant
                    defer { contents.idle = [] }
                    return (pause, contents.idle)
                }
                for continuation in idle { continuation.resume() }
                await pause?.value
                contents.withLock { contents in
                    if contents.wakeCount == wakeCount { contents.pause = nil }
                }
            }
        }
    }

    /// When a pause ends; nil without one.
    var pauseEnd: Instant? { contents.withLock { $0.pause == nil ? nil : $0.pauseEnd } }

    /// Waits until the loop has nothing to do, or pauses.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isIdle = contents.withLock { contents in
                if !contents.isRunning || contents.pause != nil { return true }
                contents.idle.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }
}
