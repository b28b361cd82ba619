internal import Recurrence

/// What to add, what to take back, and what then holds if the system keeps everything.
struct Plan: Sendable {
    /// Soonest first, so that an end of the process half-way loses the latest ones.
    var add: [PlannedRequest] = []
    var remove: [String] = []
    /// How many of the requests that are wanted were pending already.
    var keptCount = 0
    var keys: [KeyPlan] = []
    var openApp: PlannedRequest?
    var leftOut: [PlanReport.LeftOut] = []
    var ended: [String] = []
    /// Held back by quiet hours, and without a request.
    var quieted: [PlanReport.Quieted] = []
    /// The first occurrence of those reminders that have no slot.
    var firstMissing: Instant?
    var foreignRequestCount = 0
    var memory = PlanMemory()

    /// Requests to add that were pending at the last plan already, and went without the app.
    ///
    /// Other code may have taken them back, or too many requests pushed them out. Or they were shown somewhere: the
    /// device was taken east, where it was later, and back.
    func vanished(since memory: PlanMemory, pending: [PendingRequest]) -> [PlannedRequest] {
        guard !memory.plannedThrough.isEmpty else { return [] }
        let planned = add.filter { request in
            guard request.isFloating, let civil = request.civil, let key = request.key,
                let through = memory.plannedThrough[key]
            else { return false }
            return civil.civilSeconds <= through
        }
        guard !planned.isEmpty else { return [] }
        let present = Set(pending.map(\.identifier))
        return planned.filter { !present.contains($0.identifier) }
    }

    /// The report, and what to remember, of what is really pending.
    ///
    /// - Parameters:
    ///   - pending: what is pending after the plan was carried out. A request that could not be replaced is there
    ///     with an old mark, and does not count.
    ///   - now: what was due until then has left the list because it was shown.
    func confirmed(by pending: [PendingRequest], at now: Instant) -> (report: PlanReport, memory: PlanMemory)
    {
        let marks = Dictionary(pending.map { ($0.identifier, $0.mark) }) { first, _ in first }
        func isPending(_ request: PlannedRequest) -> Bool { marks[request.identifier] == request.mark }
        var report = PlanReport()
        report.leftOut = leftOut
        report.ended = ended
        report.quieted = (quieted + keys.compactMap(\.quieted)).sorted { $0.key < $1.key }
        report.foreignRequestCount = foreignRequestCount
        report.addedCount = add.count
        report.removedCount = remove.count
        var missing = [firstMissing]
        var memory = memory
        memory.plannedThrough = [:]
        for key in keys {
            let lost = key.requests.first { $0.instant > now && !isPending($0) }
            let kept = key.requests.prefix { lost == nil || $0.instant < lost?.instant ?? now }
            let firstMissing = lost?.instant ?? key.firstMissing
            missing.append(firstMissing)
            guard let first = kept.first, let last = kept.last else {
                report.leftOut.append(.init(key: key.key, reason: .notKept))
                continue
            }
            let horizon: PlanReport.Horizon =
                firstMissing != nil ? .until(last.instant) : key.isEndless ? .endless : .complete
            report.entries.append(
                .init(key: key.key, next: first.instant, horizon: horizon, requestCount: kept.count))
            if key.isFloating, let civil = kept.last(where: { $0.civil != nil })?.civil {
                memory.plannedThrough[key.key] = civil.civilSeconds
            }
        }
        report.entries.sort { ($0.next, $0.key) < ($1.next, $1.key) }
        report.firstMissing = missing.compactMap(\.self).min()
        if let openApp, isPending(openApp) { report.openApp = openApp.instant }
        return (report, memory)
    }
}
