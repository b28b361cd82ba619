/// The simulation's clock and what waits for it; touched by the simulation's thread alone.
///
/// Time goes on only when it is told to. It may go past several timers at once, as on a machine that is slow: they
/// fire late then. Timers of a stalled node wait until it is awake.
struct VirtualTime {
    /// What a timer is for.
    enum Kind {
        /// Something is being done meanwhile: a transaction, a request.
        case work
        /// Somebody looks again later whether there is something to do.
        case poll
        /// Something of the scenario.
        case script
    }

    struct Timer {
        var due: Int64
        var kind: Kind
        var node: SimulatedNode?
        var action: () -> Void
    }

    /// Microseconds since the start.
    private(set) var now: Int64 = 0
    /// By their time, and by their number where that is the same.
    private var timers: [(id: Int, timer: Timer)] = []
    private var nextID = 0

    /// A number for a timer.
    mutating func reserve() -> Int {
        nextID += 1
        return nextID
    }

    mutating func add(_ id: Int, _ timer: Timer) {
        var index = timers.count
        while index > 0, timers[index - 1].timer.due > timer.due { index -= 1 }
        timers.insert((id, timer), at: index)
    }

    /// When the next timer is due.
    ///
    /// - Parameter kind: of which kind; nil for all.
    func nextDue(_ kind: Kind? = nil) -> Int64? {
        timers.first { $0.timer.node?.isStalled != true && (kind ?? $0.timer.kind) == $0.timer.kind }?.timer
            .due
    }

    mutating func advance(to time: Int64) {
        now = max(now, time)
    }

    /// Takes a timer that is due.
    mutating func takeDue() -> Timer? {
        guard let index = timers.firstIndex(where: { $0.timer.node?.isStalled != true }),
            timers[index].timer.due <= now
        else { return nil }
        return timers.remove(at: index).timer
    }

    /// Takes a timer before its time; nil when it is gone.
    mutating func take(_ id: Int) -> Timer? {
        timers.firstIndex { $0.id == id }.map { timers.remove(at: $0).timer }
    }

    /// Takes all timers of a node.
    mutating func takeAll(of node: SimulatedNode) -> [Timer] {
        let taken = timers.filter { $0.timer.node === node }.map(\.timer)
        timers.removeAll { $0.timer.node === node }
        return taken
    }

    /// Takes all timers of the scenario away.
    mutating func removeScript() {
        timers.removeAll { $0.timer.kind == .script }
    }
}
