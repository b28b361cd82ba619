import APNs
import APNsClient

/// The notifications of one `send` on their way; touched by the simulation's thread alone.
// @unchecked: all of a simulation runs on one thread.
final class ClientCall: @unchecked Sendable {
    let notifications: [Notification]
    let permit: SendPermit?
    let environment: Environment
    let node: SimulatedNode
    private(set) var outcomes: [Outcome?]
    /// How many were put on the wire or given up.
    private(set) var writtenCount = 0
    private var missingCount: Int
    var whenFinished: () -> Void = {}

    init(
        _ notifications: [Notification], _ permit: SendPermit?, _ environment: Environment,
        _ node: SimulatedNode
    ) {
        self.notifications = notifications
        self.permit = permit
        self.environment = environment
        self.node = node
        outcomes = Array(repeating: nil, count: notifications.count)
        missingCount = notifications.count
    }

    /// Takes the next notification for the wire; nil when all have been.
    func takeNext() -> Int? {
        guard writtenCount < notifications.count else { return nil }
        defer { writtenCount += 1 }
        return writtenCount
    }

    func finish(_ index: Int, _ result: Outcome.Result, microseconds: Int64 = 0) {
        guard outcomes[index] == nil else { return }
        outcomes[index] = Outcome(
            result: result, id: notifications[index].id, latencyMicroseconds: UInt32(clamping: microseconds),
            attemptCount: microseconds > 0 ? 1 : 0)
        missingCount -= 1
        if missingCount == 0 {
            node.calls.removeAll { $0 === self }
            whenFinished()
        }
    }

    /// Gives up what is not on the wire.
    func cancel() {
        while let index = takeNext() { finish(index, .failed(.cancelled)) }
    }

    /// Whether every notification has its outcome.
    var isFinished: Bool { missingCount == 0 }

    /// Forgets everything: the process is dead.
    func abandon() {
        writtenCount = notifications.count
        for index in notifications.indices { finish(index, .failed(.cancelled)) }
    }
}
