internal import Synchronization

/// One call of the app that is not over yet.
///
///     running ──▶ parked (sleeps by the phone's clock) ──▶ running
///        └──▶ over
final class CallbackTicket: Sendable {
    /// The call that the code which runs belongs to.
    @TaskLocal static var current: CallbackTicket?

    let began = ContinuousClock.now

    private struct Contents {
        var parkedCount = 0
        var isGivenUp = false
        var isAbandoned = false
    }

    let number: Int
    let app: String
    /// Whether it is the service extension's, which is a process of its own.
    let isExtension: Bool
    private let contents = Mutex(Contents())
    private let onChange: @Sendable () -> Void

    init(number: Int, app: String, isExtension: Bool = false, onChange: @escaping @Sendable () -> Void) {
        self.number = number
        self.app = app
        self.isExtension = isExtension
        self.onChange = onChange
    }

    /// Whether somebody who wants the phone to be at rest waits for it.
    var isBusy: Bool { contents.withLock { $0.parkedCount == 0 && !$0.isGivenUp } }

    /// Whether the app can no longer answer.
    var isAbandoned: Bool { contents.withLock { $0.isAbandoned } }

    func park() {
        contents.withLock { $0.parkedCount += 1 }
        onChange()
    }

    func unpark() { contents.withLock { $0.parkedCount -= 1 } }

    func giveUp() {
        contents.withLock { $0.isGivenUp = true }
        onChange()
    }

    func abandon() {
        contents.withLock { $0.isAbandoned = true }
    }
}
