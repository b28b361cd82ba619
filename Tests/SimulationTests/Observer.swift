import APNs
import APNsClient
import PushService
import PushStore
import Recurrence
import SQLite

/// Watches what is committed and what is sent, and says what must not be.
///
/// It keeps a copy of pushes and batches, renewed after each transaction from the rows that it touched, and compares
/// each row with what it was. Touched by the simulation's thread alone.
// @unchecked: all of a simulation runs on one thread.
final class Observer: @unchecked Sendable {
    /// One device of a push in a sender's hands.
    struct Delivery: CustomStringConvertible {
        var push: Int64
        /// The installation's number, or what stands for a device token.
        var device: Int64
        var batch: Int64
        var position: Int
        var generation: Int64
        var environment: Environment

        var description: String { "push \(push) device \(device) (batch \(batch), claim \(generation))" }
    }

    /// A batch that a node has.
    struct Claim {
        var generation: Int64
        var node: SimulatedNode
        var jumpCount: Int
        /// The state of its push as its sender knows it; nil until it has the batch.
        var toldState: Push.State?
        /// What was put on the wire with it has this permit.
        var permit: SendPermit?
        /// Devices whose acceptance its sender knows and has not stored.
        var owed: Set<Int> = []
        /// Whether its sender knows that the provider's key is refused.
        var knowsFault = false
        /// When it last reported nothing new, in microseconds.
        var repeatedAt: Int64?
        /// How often in a row it has done so at once.
        var repeatedCount = 0
        /// Whether its sender was told that its last report has failed: it may forget what it knows.
        var hasFailed = false
        /// Whether an earlier sender of the same process may still work on the batch, since it claimed with a lease that
        /// was over by then: whose answer it is cannot be told then.
        var isShared = false
    }

    /// What a transaction means to whoever ran it.
    struct News {
        var batch: Int64
        var generation: Int64
        var state: Push.State
    }

    unowned let simulation: Simulation
    let mirror: Mirror
    private(set) var claims: [Int64: Claim] = [:]
    var attempts: [SimulatedAPNs.Attempt] = []
    private var passNumber = 0
    /// How many transactions there were.
    var transactionCount: Int { passNumber }
    /// How many of them wrote.
    private(set) var changeCount = 0
    private var openPass: Int?

    init(_ simulation: Simulation, _ connection: Connection) throws {
        self.simulation = simulation
        mirror = try Mirror(connection)
    }

    func fail(_ text: String) { simulation.fail(text) }

    // MARK: - Transactions

    /// A transaction begins.
    func begin(_ node: SimulatedNode?, isWriting: Bool) -> Int {
        if isWriting { changeCount += 1 }
        if openPass != nil { fail("two transactions run at once") }
        passNumber += 1
        openPass = passNumber
        return passNumber
    }

    /// A transaction has ended: looks at what it changed.
    func end(_ pass: Int, by node: SimulatedNode?) -> [News] {
        if openPass != pass { fail("two transactions run at once") }
        openPass = nil
        guard mirror.isTouched else { return [] }
        do {
            let changes = try mirror.takeChanges()
            for change in changes.pushes { check(change) }
            var news: [News] = []
            for change in changes.batches {
                if let item = check(change, by: node) { news.append(item) }
            }
            for text in mirror.misplaced(in: changes) { fail(text) }
            return news
        } catch {
            fail("what was committed cannot be read: \(error)")
            return []
        }
    }

    /// A node hears that its transaction was kept.
    func told(_ news: [News]) {
        for item in news where claims[item.batch]?.generation == item.generation {
            claims[item.batch]?.toldState = item.state
            // A report that was not heard of is repeated; then its sender knows where it stands.
            claims[item.batch]?.hasFailed = false
        }
    }

    /// A node does not hear that its transaction was kept.
    func lost(_ news: [News]) {
        for item in news where claims[item.batch]?.generation == item.generation {
            claims[item.batch]?.hasFailed = true
            claims[item.batch]?.owed = []
        }
    }

    /// A node's process is gone, with all it knew.
    func died(_ node: SimulatedNode) {
        for batch in claims.keys where claims[batch]?.node === node {
            claims[batch]?.owed = []
            claims[batch]?.knowsFault = false
        }
    }

    private func check(_ change: Mirror.Change<Mirror.PushRow>) {
        let new = change.new
        simulation.trace(nil, "push \(new.number): \(new.state) \(new.error ?? "")")
        guard let old = change.old else { return }
        if let notes = old.notes, new.notes?.hasPrefix(notes) != true {
            simulation.fail("push \(new.number) says no longer what was left out of it: \(notes)")
        }
        if old.state != new.state {
            let isForbidden =
                old.state.isFinal || new.state == .scheduled && old.state != .paused
                || old.state == .paused && new.state == .done
            if isForbidden { fail("push \(new.number) went from \(old.state) to \(new.state)") }
        }
        guard old.state != .done, new.state == .done, new.schedule == nil || !new.isSchedule else { return }
        if !new.isSchedule, !mirror.openBatches(of: new.number).isEmpty {
            fail("push \(new.number) is done, and batches of it are not")
        }
    }

    private func check(
        _ change: Mirror.Change<Mirror.BatchRow>, by node: SimulatedNode?
    ) -> News? {
        let new = change.new
        let name = "batch \(new.number)"
        let state = mirror.pushes[new.push]?.state ?? .cancelled
        if new.outcomes.count != new.devices.count { fail("\(name) has outcomes for other devices") }
        if new.pendingCount != new.outcomes.count(where: { $0 == .pending }) {
            fail("\(name) says \(new.pendingCount) devices are pending: \(new.outcomes.map(\.name))")
        }
        if new.state == .done, new.pendingCount > 0 { fail("\(name) is done with pending devices") }
        guard let old = change.old else { return nil }
        simulation.trace(
            node,
            "\(name) of push \(new.push): \(old.state) → \(new.state), claim \(new.generation), "
                + "\(new.outcomes.map(\.name).joined(separator: " "))")
        for (position, outcome) in old.outcomes.enumerated()
        where outcome != .pending && outcome != new.outcomes[position] {
            fail(
                "\(name): device \(new.devices[position]) was \(outcome.name) and is \(new.outcomes[position].name)"
            )
        }
        if old.state == .done { fail("\(name) was done and changed") }
        if new.generation < old.generation { fail("\(name) has an older claim again") }
        let former = claims[new.number]?.node
        if old.state == .claimed, new.generation > old.generation { checkTakeover(old, new, by: node) }
        if old.state == .claimed, new.generation == old.generation {
            checkReport(old, new, state, by: node)
            return News(batch: new.number, generation: new.generation, state: state)
        }
        guard new.state == .claimed, new.generation > old.generation else { return nil }
        guard let node else {
            fail("\(name) was claimed by nobody")
            return nil
        }
        if new.owner != node.owner { fail("\(name) was claimed for another") }
        if old.state != .claimed, new.notBefore > simulation.latestWallTime.millisecondsSince1970 {
            fail("\(name) was claimed before its time")
        }
        claims[new.number] = Claim(
            generation: new.generation, node: node, jumpCount: simulation.jumpCount,
            isShared: former === node)
        return News(batch: new.number, generation: new.generation, state: state)
    }

    /// A batch that a node had is taken from it, or was handed back.
    private func checkTakeover(_ old: Mirror.BatchRow, _ new: Mirror.BatchRow, by node: SimulatedNode?) {
        guard let node else { return fail("batch \(old.number) was taken from its sender by nobody") }
        let isOver = old.leaseUntil.map { $0 <= simulation.wallTime(of: node).millisecondsSince1970 } ?? false
        // A process hands back what its machine had, its former processes' batches too.
        let isOwn = new.state == .ready && old.owner == node.owner && new.generation == old.generation + 1
        if !isOver, !isOwn { fail("batch \(old.number) was claimed twice: its lease has not run out") }
        claims[old.number] = nil
    }

    private func checkReport(
        _ old: Mirror.BatchRow, _ new: Mirror.BatchRow, _ state: Push.State, by node: SimulatedNode?
    ) {
        guard let claim = claims[new.number], claim.generation == new.generation else {
            return fail("batch \(new.number) has a report under a claim nobody made")
        }
        if claim.node !== node { fail("batch \(new.number) has a report of another than its sender") }
        if new.state == .claimed, new.outcomes == old.outcomes {
            // Once is chance: the lease is extended, and at that moment what was waited for comes.
            let isQuick = claim.repeatedAt.map { simulation.time.now - $0 < 50_000 } ?? false
            let count = isQuick ? claim.repeatedCount + 1 : 0
            if count > 1 { fail("the sender of batch \(new.number) reports again and again what is known") }
            claims[new.number]?.repeatedAt = simulation.time.now
            claims[new.number]?.repeatedCount = count
        }
        for position in new.outcomes.indices where old.outcomes[position] == .pending {
            let outcome = new.outcomes[position]
            if outcome == .accepted {
                claims[new.number]?.owed.remove(position)
                let isTrue = attempts.contains {
                    $0.isAccepted && $0.delivery.batch == new.number && $0.delivery.position == position
                }
                if !isTrue {
                    fail("device \(new.devices[position]) of push \(new.push) is said to be accepted")
                }
            } else if outcome != .pending, claim.owed.contains(position) {
                fail(
                    "device \(new.devices[position]) of push \(new.push) was accepted and is \(outcome.name)")
            }
        }
        guard new.state != .claimed else { return }
        if let owed = claims[new.number]?.owed, !owed.isEmpty {
            fail("the sender of batch \(new.number) gave it up and forgot acceptances of \(owed.sorted())")
        }
        if claim.knowsFault, state == .running {
            fail("push \(new.push) goes on though APNs refuses the provider's key")
        }
        if claim.knowsFault, state == .paused, mirror.pushes[new.push]?.error == nil,
            mirror.pushes[new.push]?.wasPausedByHand == false
        {
            fail("push \(new.push) was stopped without a reason")
        }
        claims[new.number] = nil
    }

    // MARK: - The wire

    /// A notification is put on the wire.
    ///
    /// - Returns: what it is; nil when it is nothing that was planned.
    func sent(
        _ notification: Notification, in environment: Environment, permit: SendPermit?,
        by node: SimulatedNode
    ) -> Delivery? {
        guard let id = notification.id, let place = mirror.place(of: id),
            let batch = mirror.batches[place.batch], let push = mirror.pushes[batch.push]
        else {
            fail("a notification was sent that nobody planned")
            return nil
        }
        let device = batch.devices[place.position]
        let name = "push \(push.number) device \(device)"
        simulation.trace(node, "sends \(name)")
        if !node.isAlive || node.isStalled { fail("\(name): a process sends that does not run") }
        if notification.collapseID?.rawValue != push.objectID {
            fail("\(name): sent without its collapse id")
        }
        if let permit, permit.isOver { fail("\(name): sent without permit") }
        var delivery = Delivery(
            push: push.number, device: device, batch: batch.number, position: place.position,
            generation: batch.generation, environment: environment)
        let claim = claims[batch.number]
        let isHeld =
            batch.state == .claimed && claim?.node === node && claim?.generation == batch.generation
            && claim?.toldState != nil
            && (claim?.permit == nil || claim?.permit === permit)
        guard isHeld, let claim else {
            // Who finds its lease run out because a clock was set does not know of it at once.
            if simulation.jumpCount == 0 || permit == nil {
                fail(
                    "\(name): sent by \(node.owner) after its lease was lost (batch \(batch.number): \(batch.state))"
                )
            }
            delivery.generation = -1
            return delivery
        }
        claims[batch.number]?.permit = permit
        if claim.toldState != .running {
            fail(
                "\(name): sent though its sender knows that it does not run"
            )
        }
        if claim.hasFailed { fail("\(name): sent after a report has failed") }
        if batch.outcomes[place.position] != .pending {
            fail("\(name): sent again though it is \(batch.outcomes[place.position].name)")
        }
        if claim.owed.contains(place.position) {
            fail("\(name): sent again though its sender knows it is accepted")
        }
        if let cap = simulation.scenario.frequencyCap, notification.pushType == .alert,
            !push.ignoresFrequencyCap, device > 0,
            !batch.isForTokens
        {
            do {
                if try !mirror.hasPlaceUnderCap(installation: device, push: push.number, countMax: cap) {
                    fail("\(name): sent without a place under the frequency cap")
                }
            } catch {
                fail("places under the cap cannot be read: \(error)")
            }
        }
        return delivery
    }

    /// APNs has taken a notification: a phone shows it.
    func shown(_ delivery: Delivery) {
        simulation.trace(nil, "shown: \(delivery)")
    }

    /// A sender hears what APNs says.
    func answered(_ delivery: Delivery, _ result: Outcome.Result, by node: SimulatedNode) {
        guard let claim = claims[delivery.batch], claim.node === node, !claim.isShared,
            claim.generation == delivery.generation
        else { return }
        switch result {
        case .accepted where !claim.hasFailed: claims[delivery.batch]?.owed.insert(delivery.position)
        case .rejected(_, SimulatedAPNs.refusedKey, _) where !isSecondTry(delivery):
            claims[delivery.batch]?.knowsFault = true
        default: break
        }
    }

    /// Whether a device has been refused in the other environment under the same claim.
    private func isSecondTry(_ delivery: Delivery) -> Bool {
        attempts.contains {
            $0.delivery.batch == delivery.batch && $0.delivery.position == delivery.position
                && $0.delivery.generation == delivery.generation
                && $0.delivery.environment != delivery.environment
        }
    }
}
