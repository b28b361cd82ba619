internal import Recurrence

/// What has to be reported of pushes: each once, kept until the push service has it.
struct ReportMachine: Sendable {
    /// What survives the process.
    ///
    /// It is kept before the app hears of what is reported.
    struct Record: Hashable, Sendable, Codable {
        var pending: [PushReport] = []
        /// What was reported or waits, oldest first: the same again is not counted.
        var known: [String] = []
    }

    enum Action: Hashable, Sendable {
        case send([PushReport])
        case wait(until: Instant)
        case none
    }

    /// Reports that wait for a network; then the oldest go.
    static let pendingCountMax = 500
    /// Pushes that are remembered.
    static let knownCountMax = 1000
    /// Reports in one request (the push service takes 100).
    static let batchCountMax = 50

    private(set) var record: Record
    private var sending: [PushReport] = []
    private var delay = RetryDelay()
    private var notBefore: Instant?

    init(_ record: Record = Record()) {
        self.record = record
    }

    /// - Returns: whether it is new.
    mutating func add(_ kind: PushReport.Kind, pushID: String, at now: Instant) -> Bool {
        let name = kind.rawValue + " " + pushID
        guard !record.known.contains(name) else { return false }
        record.known.append(name)
        record.known.removeFirst(max(0, record.known.count - Self.knownCountMax))
        record.pending.append(
            PushReport(kind: kind, pushID: pushID, atMilliseconds: now.millisecondsSince1970))
        record.pending.removeFirst(max(0, record.pending.count - Self.pendingCountMax))
        return true
    }

    /// What waits for a network is tried now.
    mutating func retryNow() { notBefore = nil }

    /// What to do now.
    mutating func next(at now: Instant) -> Action {
        guard sending.isEmpty, let first = record.pending.first else { return .none }
        if let notBefore, notBefore > now { return .wait(until: notBefore) }
        // One request has reports of one kind, for each has its own place at the service.
        sending = Array(record.pending.filter { $0.kind == first.kind }.prefix(Self.batchCountMax))
        return .send(sending)
    }

    /// The service has what was sent.
    mutating func confirm() {
        let done = Set(sending)
        sending = []
        delay.reset()
        notBefore = nil
        record.pending.removeAll { done.contains($0) }
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
    /// A service that does not know receipts answers 404 for ever, and opens must not wait behind them.
    private static func isAboutAccess(_ failure: ServiceFailure, of kind: PushReport.Kind?) -> Bool {
        if case .answer(let status, _) = failure.kind {
            return status == 401 || status == 403 || (status == 404 && kind != .delivered)
        }
        return false
    }
}
