internal import APNsClient
public import PushStore
public import Recurrence
internal import Synchronization
public import Transport

/// Brings every accepted push to its end: starts what is due, plans audiences, sends batches.
///
/// Any number of these may share a store; leases and fencing keep their senders apart.
public final class DeliveryService: Sendable {
    /// What is told of a service's work, for logs and metrics.
    public enum Event: Sendable {
        /// A push has ended.
        case ended(Push)
        /// A fault has stopped a push, by its objectId, until somebody resumes it; `app` is the app's id.
        case pushStopped(push: String, app: String, reason: String)
        /// Outcomes of devices were stored; `app` is the app's id, `retryCount` says how many devices are tried again
        /// later.
        case stored(app: String, outcomes: [DeviceOutcome: Int], retryCount: Int)
        /// Something failed and is tried again; the push by its objectId, where it is known which it is about.
        case failed(String, push: String? = nil)
        /// A newer program has changed the store's database so that this one takes no more work; the sentence says
        /// what it needs. Told once.
        case stopped(String)
        /// What was told as ``stopped(_:)`` is over.
        case resumed
    }

    /// How long to wait at most before looking for work again: others may share the store.
    private static let idleDuration = Duration.seconds(1)
    /// The same for the one lane that watches for batches: those that another service has planned.
    private static let watchDuration = Duration.milliseconds(250)
    /// How long a planner or sender waits after something has failed.
    private static let failureDuration = Duration.milliseconds(200)
    /// How long the scheduler rests while planners are at what is due.
    private static let restDuration = Duration.milliseconds(50)

    private let store: any Store
    private let clients: ClientDirectory
    private let clock: any DeliveryClock
    private let limits: DeliveryLimits
    private let owner: String
    private let report: @Sendable (Event) -> Void
    private let wake: WakeSignal
    /// Told when a full batch's place is free without its sender being about to take the next.
    private let places: WakeSignal
    private let governor = Mutex(LaneGovernor())
    private let watch = LaneWatch()
    private let held = Mutex(HeldBatches())
    private let stops = ToldStops()

    /// Makes a service; ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - store: what it works on.
    ///   - endpoints: where notifications go.
    ///   - owner: its name among those that share the store; the same after a restart, so that it takes its own
    ///     batches up again at once.
    ///   - loops: the threads of connections to APNs.
    ///   - now: the time.
    ///   - tokenClock: what provider tokens are dated with; APNs compares it with the true time.
    ///   - report: told of what happens; called from any thread.
    public convenience init(
        store: any Store, endpoints: ClientDirectory.Endpoints, owner: String, loops: EventLoopGroup,
        now: @escaping @Sendable () -> Instant, tokenClock: WallClock = .system,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.init(
            store: store,
            clients: ClientDirectory(store: store, endpoints: endpoints, loops: loops, clock: tokenClock),
            owner: owner, clock: SystemDeliveryClock(wall: now), report: report)
    }

    /// Makes a service on clients, clocks and limits of another's choice.
    package init(
        store: any Store, clients: ClientDirectory, owner: String, clock: any DeliveryClock,
        limits: DeliveryLimits = DeliveryLimits(), report: @escaping @Sendable (Event) -> Void
    ) {
        self.store = store
        self.clients = clients
        self.owner = owner
        self.clock = clock
        self.limits = limits
        self.report = report
        wake = WakeSignal(clock: clock)
        places = WakeSignal(clock: clock)
    }

    private func now() -> Instant { clock.now }

    /// Says that there is new work: a push was accepted, resumed or cancelled.
    public func wakeUp() {
        wake.signal()
    }

    /// Works until the task is cancelled; then takes no new work, stores what is known and hands batches back.
    public func run() async {
        do throws(StoreError) {
            // What this service held when it was killed is its own again.
            try await store.release(owner: owner, now: now())
        } catch {
            report(.failed("taking up former work: \(error.message)"))
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.schedule() }
            group.addTask { await self.clean() }
            for _ in 0..<limits.plannerCount { group.addTask { await self.plan() } }
            for _ in 0..<limits.laneCount { group.addTask { await self.send() } }
        }
        do throws(StoreError) {
            try await store.release(owner: owner, now: now())
        } catch {
            report(.failed("handing work back: \(error.message)"))
        }
        await clients.shutdown()
    }

    // MARK: - Steps

    /// Starts what is due and plans all of it, for whoever decides what time it is: tests, and a demonstration.
    package func scheduleOnce() async throws(StoreError) {
        try await advance()
        while try await store.planChunk(now: now()) {}
        try await advance()
    }

    /// Claims one batch and sends it; for tests.
    ///
    /// - Returns: whether there was one.
    func sendOnce(_ sender: inout BatchSender) async throws(StoreError) -> Bool {
        let permit = permit()
        guard let batch = try await claim() else { return false }
        defer { held.withLock { $0.remove(batch.number) } }
        try await sender.send(batch, permit)
        return true
    }

    /// For what is claimed next.
    private func permit() -> SendPermit {
        SendPermit(for: BatchSender.permitDuration, by: { [clock] in clock.elapsed })
    }

    /// Starts what is due and ends what is complete.
    ///
    /// - Returns: when there is something to do next, as far as is known.
    @discardableResult
    private func advance() async throws(StoreError) -> Instant? {
        let (ended, next) = try await store.advance(now: now())
        ended.forEach { report(.ended($0)) }
        return next
    }

    /// Claims a batch, which is held from then on.
    private func claim() async throws(StoreError) -> ClaimedBatch? {
        // Who asks later has a later time, so that no claim under way is over by the time of this one.
        let (known, time) = held.withLock { ($0.beginClaim(), now()) }
        let asked = stops.time
        var number: Int64?
        defer { held.withLock { $0.endClaim(with: number) } }
        let batch = try await store.claimBatch(
            owner: owner, leaseUntil: time.advanced(bySeconds: BatchSender.leaseSeconds), held: known,
            now: time)
        number = batch?.number
        if let batch, batch.push.state == .running { stops.resume(push: batch.push.number, since: asked) }
        return batch
    }

    /// A sender of this service.
    func makeSender() -> BatchSender {
        BatchSender(
            store: store, clients: clients, clock: clock, chunkCount: limits.chunkCount, stops: stops,
            tell: report)
    }

    /// Closes the connections; for tests, which do not call ``run()``.
    func shutdown() async { await clients.shutdown() }

    // MARK: - Loops

    private func schedule() async {
        var incompatibility: String?
        while !Task.isCancelled {
            var seen = wake.generation
            var wait = Self.idleDuration
            do throws(StoreError) {
                if let next = try await advance() {
                    let milliseconds = next.millisecondsSince1970 - now().millisecondsSince1970
                    if milliseconds <= 0 {
                        // Segments are due: planners and senders look again.
                        wake.signal()
                        seen = wake.generation
                    }
                    wait = min(wait, max(.milliseconds(max(0, milliseconds)), Self.restDuration))
                }
            } catch {
                report(.failed("scheduling: \(error.message)"))
            }
            let found = store.incompatibility
            if (found == nil) != (incompatibility == nil) { report(found.map(Event.stopped) ?? .resumed) }
            incompatibility = found
            await wake.wait(after: seen, for: wait)
        }
    }

    private func plan() async {
        while !Task.isCancelled {
            let seen = wake.generation
            do throws(StoreError) {
                if try await store.planChunk(now: now()) {
                    wake.signal()
                    continue
                }
                await wake.wait(after: seen, for: Self.idleDuration)
            } catch {
                report(.failed("planning: \(error.message)", push: error.push?.objectID))
                if let push = error.push, let reason = push.stop {
                    report(.pushStopped(push: push.objectID, app: push.app ?? "", reason: reason))
                }
                await clock.sleep(for: Self.failureDuration)
            }
        }
    }

    private func send() async {
        var sender = makeSender()
        var hasSent = false
        var isWatching = false
        while !Task.isCancelled {
            let free = places.generation
            guard governor.withLock({ $0.enter() }) else {
                // A lane without a place must not keep the watch from one that has its own again.
                if isWatching { watch.pass() }
                isWatching = false
                await places.wait(after: free, for: Self.idleDuration)
                continue
            }
            let seen = wake.generation
            do throws(StoreError) {
                if try await sendNext(&sender, isWatching: &isWatching) {
                    hasSent = true
                    continue
                }
                // A push's last batch may have been this lane's: whoever ends pushes looks again.
                if hasSent { wake.signal() }
                hasSent = false
                guard isWatching else {
                    isWatching = await watch.take()
                    continue
                }
                let next = try await store.nextBatchTime(held: held.withLock { $0.numbers })
                let milliseconds =
                    (next ?? .distantFuture).millisecondsSince1970 - now().millisecondsSince1970
                let wait = min(Self.watchDuration, .milliseconds(max(5, milliseconds)))
                await wake.wait(after: seen, for: wait)
            } catch {
                if error.code != .leaseLost {
                    report(.failed("sending: \(error.message)", push: error.push?.objectID))
                }
                await clock.sleep(for: Self.failureDuration)
            }
        }
    }

    /// Claims one batch and sends it, in a place that was entered; the watch is another's once there is a batch.
    private func sendNext(
        _ sender: inout BatchSender, isWatching: inout Bool
    ) async throws(StoreError) -> Bool {
        var isInPlace = true
        defer {
            if isInPlace { governor.withLock { $0.leave() } }
        }
        let permit = permit()
        guard let batch = try await claim() else { return false }
        defer { held.withLock { $0.remove(batch.number) } }
        if isWatching { watch.pass() }
        isWatching = false
        if batch.count <= limits.lightDeviceCountMax {
            isInPlace = false
            governor.withLock { $0.leave() }
            places.signal()
            try await sender.send(batch, permit)
            return true
        }
        let started = clock.elapsed
        try await sender.send(batch, permit)
        let elapsed = clock.elapsed - started
        let answering = sender.answeringMilliseconds
        let isMore = governor.withLock { governor in
            let former = governor.fullCount
            governor.record(milliseconds: elapsed / .milliseconds(1), answeringMilliseconds: answering)
            return governor.fullCount > former
        }
        if isMore { places.signal() }
        return true
    }

    private func clean() async {
        let cleaning = Cleaning(store: store)
        // By the clock that nobody sets: after one that was wrong for a while nothing would be removed for as long.
        var next = clock.elapsed
        while !Task.isCancelled {
            if clock.elapsed >= next {
                let started = clock.elapsed
                do throws(StoreError) {
                    try await cleaning.run(now: { [clock] in clock.now })
                } catch {
                    report(.failed("removing what is old: \(error.message)"))
                }
                next = clock.elapsed + Cleaning.rest(after: clock.elapsed - started)
            }
            await clock.sleep(for: Self.idleDuration)
        }
    }
}

extension Instant {
    /// Later than anything that is waited for.
    fileprivate static let distantFuture = Instant(secondsSince1970: 253_402_300_799)
}
