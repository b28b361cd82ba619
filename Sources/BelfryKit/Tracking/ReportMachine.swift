internal import Recurrence

/// What has to be reported: kept until the push service has it, and of a push once.
struct ReportMachine: Sendable {
    /// What survives the process.
    ///
    /// It is kept before the app hears of what is reported.
    struct Record: Hashable, Sendable, Codable {
        var pending: [Report] = []
        /// Pushes that were reported or wait, oldest first: the same again is not counted.
        var known: [String] = []
    }

    enum Action: Hashable, Sendable {
        case send([Report])
        case wait(until: Instant)
        case none
    }

    /// Reports of each kind that wait for a network; then the oldest go.
    static let pendingCountMax = 500
    /// How long events and receipts may wait: the push service refuses a request with one that is older than 30 days.
    static let eventDaysMax: Int64 = 29
    /// Pushes that are remembered.
    static let knownCountMax = 1000
    /// Reports in one request (the push service takes 100).
    static let batchCountMax = 50

    private(set) var record: Record
    private var sending: [Report] = []
    private var delay = RetryDelay()
    private var notBefore: Instant?

    init(_ record: Record = Record()) {
        self.record = record
    }

    /// - Returns: whether it is new.
    mutating func add(_ kind: Report.Kind, pushID: String, at now: Instant) -> Bool {
        let name = kind.rawValue + " " + pushID
        guard !record.known.contains(name) else { return false }
        record.known.append(name)
        record.known.removeFirst(max(0, record.known.count - Self.knownCountMax))
        keep(Report(kind: kind, pushID: pushID, atMilliseconds: now.millisecondsSince1970))
        return true
    }

    /// Each counts, also the same again.
    mutating func add(_ event: AppEvent, at now: Instant) {
        keep(Report(kind: .event, event: event, atMilliseconds: now.millisecondsSince1970))
    }

    private mutating func keep(_ report: Report) {
        record.pending.append(report)
        guard pendingCount(report.kind) > Self.pendingCountMax,
            let oldest = record.pending.firstIndex(where: { $0.kind == report.kind })
        else { return }
        record.pending.remove(at: oldest)
    }

    /// What one user did is not told of the next one.
    mutating func forgetEvents() { record.pending.removeAll { $0.kind == .event } }

    func pendingCount(_ kind: Report.Kind) -> Int { record.pending.count { $0.kind == kind } }

    /// What waits for a network is tried now.
    mutating func retryNow() { notBefore = nil }

    /// What to do now.
    mutating func next(at now: Instant) -> Action {
        guard sending.isEmpty else { return .none }
        let oldest = now.advanced(bySeconds: -Self.eventDaysMax * 86_400).millisecondsSince1970
        record.pending.removeAll { $0.kind != .opened && $0.atMilliseconds < oldest }
        guard let first = record.pending.first else { return .none }
        if let notBefore, notBefore > now { return .wait(until: notBefore) }
        // One request has reports of one kind, for each has its own place at the service.
        sending = Array(record.pending.filter { $0.kind == first.kind }.prefix(Self.batchCountMax))
        return .send(sending)
    }

    /// The service has what was sent.
    mutating func confirm() {
        for report in sending {
            // Once each: two events may be the same. What is not there went because others came.
            if let index = record.pending.firstIndex(of: report) { record.pending.remove(at: index) }
        }
        sending = []
        delay.reset()
        notBefore = nil
    }

    /// It did not arrive, or the service does not take it, which no repetition changes.
    mutating func fail(_ failure: ServiceFailure, at now: Instant, random: Double) {
        guard failure.isWorthRetrying || Self.isAboutAccess(failure, of: sending.first?.kind) else {
            return confirm()
        }
        sending = []
        notBefore = delay.next(after: now, random: random, floorSeconds: failure.retryAfterSeconds)
    }

    /// A wrong key is the operator's to mend; what the users did must not be lost until then.
    ///
    /// A service that does not know receipts and events answers 404 for ever, and opens must not wait behind them.
    private static func isAboutAccess(_ failure: ServiceFailure, of kind: Report.Kind?) -> Bool {
        if case .answer(let status, _) = failure.kind {
            return status == 401 || status == 403 || (status == 404 && kind == .opened)
        }
        return false
    }
}
