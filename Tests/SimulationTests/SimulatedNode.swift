/// One process of the push service, from its start to its end; touched by the simulation's thread alone.
// @unchecked: all of a simulation runs on one thread.
final class SimulatedNode: @unchecked Sendable {
    /// Counts all processes of a simulation.
    let number: Int
    /// The same for each process of a machine.
    let owner: String
    /// How far its clock is ahead, in milliseconds.
    let skew: Int64
    let executor = NodeExecutor()
    /// Whether it has not been killed; a killed one has no effect on anything any more.
    var isAlive = true
    /// Whether it has been stopped and may go on later.
    var isStalled = false
    /// Whether it was asked to end.
    var isEnding = false
    /// Whether its last task has ended.
    var hasEnded = false
    var task: Task<Void, Never>?
    /// What is to be done when it has ended.
    var whenEnded: () -> Void = {}
    /// What it has on the wire.
    var calls: [ClientCall] = []

    init(number: Int, owner: String, skew: Int64) {
        self.number = number
        self.owner = owner
        self.skew = skew
    }

    var canRun: Bool { !isStalled && !executor.isEmpty }
}
