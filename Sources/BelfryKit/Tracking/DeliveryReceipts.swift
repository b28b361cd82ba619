/// Tells the push service that pushes arrived, from a notification service extension.
///
/// The extension is a process of its own that lives for one push, so a receipt that cannot be sent is kept and sent with
/// the next push. App and extension share a storage: a group's.
///
/// Safe from any thread.
public final class DeliveryReceipts: Sendable {
    private let client: ServiceClient
    private let time: any DeviceTime
    private let identity: StoredValue<SharedIdentity>
    private let stored: StoredValue<ReportMachine.Record>
    private let machine: Guarded<ReportMachine>

    /// Makes a reporter.
    ///
    /// - Parameters:
    ///   - service: the push service.
    ///   - sharedStorage: the one that the app gives as `sharedStorage`.
    ///   - transport: sends the requests.
    ///   - time: the device's clock and zone.
    public init(
        service: PushServiceAddress, sharedStorage: any KeyValueStorage, transport: any HTTPTransport,
        time: any DeviceTime = SystemTime()
    ) {
        client = ServiceClient(address: service, transport: transport)
        self.time = time
        identity = StoredValue(SharedIdentity.key, in: sharedStorage)
        stored = StoredValue("belfry.receipts", in: sharedStorage)
        machine = Guarded(ReportMachine(stored.load() ?? ReportMachine.Record()))
    }

    /// How many receipts the service does not have yet.
    public var pendingCount: Int { machine.withLock { $0.record.pending.count } }

    /// Notes that a push arrived, and sends what is noted.
    ///
    /// - Returns: whether the service has everything now; nothing is lost when not.
    @discardableResult
    public func report(_ notification: ReceivedNotification) async -> Bool {
        note(notification)
        return await send()
    }

    /// Notes that a push arrived, on the device; ``send()`` tells it.
    public func note(_ notification: ReceivedNotification) {
        guard let pushID = notification.pushID else { return }
        let now = time.now
        guard machine.withLock({ $0.add(.delivered, pushID: pushID, at: now) }) else { return }
        try? stored.save { machine.withLock { $0.record } }
    }

    /// Sends what is noted.
    ///
    /// - Returns: whether the service has everything now; nothing is lost when not.
    @discardableResult
    public func send() async -> Bool {
        guard let objectID = identity.load()?.objectID else { return pendingCount == 0 }
        while true {
            let now = time.now
            guard case .send(let reports) = machine.withLock({ $0.next(at: now) }) else {
                return pendingCount == 0
            }
            do throws(ServiceFailure) {
                _ = try await client.post(
                    ReportBody.make(reports, installation: objectID), to: ReportBody.path(.delivered),
                    at: time.now)
                machine.withLock { $0.confirm() }
            } catch {
                let now = time.now
                machine.withLock { $0.fail(error, at: now, random: 1) }
                // The next push brings the next attempt.
                return pendingCount == 0
            }
            try? stored.save { machine.withLock { $0.record } }
        }
    }
}
