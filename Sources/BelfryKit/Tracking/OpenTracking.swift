internal import Recurrence

/// Counts the pushes that users opened, for the push service.
///
/// An open is kept on the device before the app hears of it, and until the service has it: at least once over the wire,
/// once in the service's record.
///
/// Safe from any thread.
public final class OpenTracking: Sendable {
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
        stored = StoredValue("belfry.opens", in: surroundings.storage)
        machine = Guarded(ReportMachine(stored.load() ?? ReportMachine.Record()))
    }

    /// How many opens, and receipts of the app, the service does not have yet.
    public var pendingCount: Int { machine.withLock { $0.record.pending.count } }

    /// The user answered a notification: a tap or a button of a push counts, clearing it does not.
    func record(_ response: ReceivedResponse) {
        guard response.gesture != .dismiss, let pushID = response.notification.pushID else { return }
        record(pushID: pushID)
    }

    /// Counts an open that did not come through the notification centre, such as one of a banner that the app drew.
    ///
    /// A push that was counted before is not counted again.
    public func record(pushID: String) {
        let now = surroundings.time.now
        guard machine.withLock({ $0.add(.opened, pushID: pushID, at: now) }) else { return }
        keep()
        flush()
    }

    /// A push reached the app itself: counted as received, where the app wants that.
    func receive(_ notification: ReceivedNotification) {
        guard let pushID = notification.pushID else { return }
        let now = surroundings.time.now
        guard machine.withLock({ $0.add(.delivered, pushID: pushID, at: now) }) else { return }
        keep()
        flush()
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

    private func send(_ reports: [PushReport], installation: String) async {
        guard let kind = reports.first?.kind else { return }
        let end = await surroundings.platform.beginBackgroundTask(named: "belfry.opens")
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
    ///
    /// For tests and simulators.
    public func settle() async { await loop.settle() }

    /// When the next attempt is due; nil when none waits for a moment.
    var nextAttempt: Instant? { loop.pauseEnd }
}
