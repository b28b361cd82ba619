internal import Recurrence

/// Sends reports in the background: kept on the device first, and until the push service has them.
///
/// Safe from any thread.
final class ReportQueue: Sendable {
    private let client: ServiceClient
    private let surroundings: KitSurroundings
    private let objectID: @Sendable () -> String?
    private let stored: StoredValue<ReportMachine.Record>
    private let machine: Guarded<ReportMachine>
    private let loop: WorkLoop

    /// - Parameter objectID: the device's id at the service; nil before it is registered, and reports wait for it.
    init(
        client: ServiceClient, surroundings: KitSurroundings, objectID: @escaping @Sendable () -> String?
    ) {
        self.client = client
        self.surroundings = surroundings
        self.objectID = objectID
        loop = WorkLoop(surroundings.platform)
        // The name is of a time when it had opens only.
        stored = StoredValue("belfry.opens", in: surroundings.storage)
        machine = Guarded(ReportMachine(stored.load() ?? ReportMachine.Record()))
    }

    func pendingCount(_ kinds: Report.Kind...) -> Int {
        machine.withLock { machine in kinds.reduce(0) { $0 + machine.pendingCount($1) } }
    }

    /// Of each push once.
    func add(_ kind: Report.Kind, pushID: String) {
        let now = surroundings.time.now
        guard machine.withLock({ $0.add(kind, pushID: pushID, at: now) }) else { return }
        keep()
        flush()
    }

    func add(_ event: AppEvent) {
        let now = surroundings.time.now
        machine.withLock { $0.add(event, at: now) }
        keep()
        flush()
    }

    func forgetEvents() {
        machine.withLock { $0.forgetEvents() }
        keep()
    }

    /// Sends what waits; the front object calls it whenever there is reason to hope.
    func flush() { loop.wake { [self] in await step() } }

    /// Sends what waits, without the pause after a failure.
    func retryNow() {
        machine.withLock { $0.retryNow() }
        flush()
    }

    private func step() async -> WorkLoop.Next {
        guard let objectID = objectID() else { return .done }
        let now = surroundings.time.now
        switch machine.withLock({ $0.next(at: now) }) {
        case .none: return .done
        case .wait(let instant): return .pause(until: instant)
        case .send(let reports):
            await send(reports, installation: objectID)
            return .again
        }
    }

    private func send(_ reports: [Report], installation: String) async {
        guard let kind = reports.first?.kind else { return }
        let end = await surroundings.platform.beginBackgroundTask(named: "belfry.reports")
        do throws(ServiceFailure) {
            _ = try await client.post(
                ReportBody.make(reports, installation: installation), to: ReportBody.path(kind),
                at: surroundings.time.now)
            machine.withLock { $0.confirm() }
        } catch {
            let now = surroundings.time.now
            let random = surroundings.random()
            machine.withLock { $0.fail(error, at: now, random: random) }
            surroundings.report(BelfryKitError(code: .service, message: error.message))
        }
        keep()
        await end()
    }

    private func keep() {
        do throws(BelfryKitError) {
            try stored.save { machine.withLock { $0.record } }
        } catch {
            surroundings.report(error)
        }
    }

    /// Waits until there is nothing to send, or nothing that can be sent now.
    func settle() async { await loop.settle() }

    /// When the next attempt is due; nil when none waits for a moment.
    var nextAttempt: Instant? { loop.pauseEnd }
}
