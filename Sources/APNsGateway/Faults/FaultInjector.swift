internal import Synchronization

/// The faults in force, shared by all connections.
///
/// Without faults a request costs one load; with faults it takes a lock, so that counts are exact across
/// event loops.
package final class FaultInjector: Sendable {
    private let isArmed = Atomic<Bool>(false)
    private let plan: Mutex<FaultPlan>

    /// Makes an injector without faults.
    package init(seed: UInt64) {
        plan = Mutex(FaultPlan(seed: seed))
    }

    /// The rules in force, with what is left of their counts.
    package var rules: [FaultRule] { plan.withLock { $0.rules } }

    /// Adds a fault.
    /// - Throws: `limitReached` when there are too many.
    package func add(_ rule: FaultRule) throws(GatewayError) {
        try plan.withLock { plan throws(GatewayError) in
            try plan.add(rule)
            isArmed.store(!plan.rules.isEmpty, ordering: .releasing)
        }
    }

    /// Removes all faults.
    package func removeAll() {
        plan.withLock { plan in
            plan.removeAll()
            isArmed.store(false, ordering: .releasing)
        }
    }

    /// Draws what happens to the next request; nil, at the cost of one load, when no fault is in force.
    @inline(__always)
    package func draw() -> FaultDraw? {
        isArmed.load(ordering: .relaxed) ? drawArmed() : nil
    }

    @inline(never)
    private func drawArmed() -> FaultDraw? {
        plan.withLock { plan in
            guard !plan.rules.isEmpty else { return nil }
            let draw = plan.draw()
            isArmed.store(!plan.rules.isEmpty, ordering: .releasing)
            return draw == FaultDraw() ? nil : draw
        }
    }
}
