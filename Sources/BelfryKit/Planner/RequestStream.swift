internal import Recurrence

/// The requests of one reminder that are still to be planned, soonest first.
struct RequestStream: Sendable {
    /// Its place in the plan's list of keys.
    let keyPlan: Int
    private let reminder: CompiledReminder
    /// Nil when only snoozes are left, the rule being planned otherwise.
    private var occurrences: Occurrences?
    private var snoozes: ArraySlice<Instant>
    private var nextOccurrence: Occurrence?
    /// What counts as shown, in civil seconds, unless it is pending.
    private let shownThrough: Int?
    private let pending: [String: PendingRequest]

    init(
        _ reminder: CompiledReminder, keyPlan: Int, after now: Instant, in zone: Zone, shownThrough: Int?,
        pending: [String: PendingRequest], isRepeating: Bool
    ) {
        self.keyPlan = keyPlan
        self.reminder = reminder
        self.shownThrough = shownThrough
        self.pending = pending
        snoozes = reminder.snoozes.drop { $0 <= now }
        if !isRepeating {
            occurrences = reminder.schedule.occurrences(after: now, in: zone)
            advance()
        }
    }

    /// When the next one fires; nil at the end.
    var nextInstant: Instant? {
        guard let snooze = snoozes.first else { return nextOccurrence?.instant }
        return nextOccurrence.map { min($0.instant, snooze) } ?? snooze
    }

    mutating func next() -> PlannedRequest? {
        if let snooze = snoozes.first, nextOccurrence.map({ snooze < $0.instant }) ?? true {
            snoozes.removeFirst()
            return PlannedRequest(
                identifier: RequestIdentifier.make(reminder.key, snooze: snooze), key: reminder.key,
                trigger: .instant(snooze), instant: snooze, contentMark: reminder.contentMark)
        }
        guard let occurrence = nextOccurrence else { return nil }
        advance()
        return request(occurrence)
    }

    private mutating func advance() {
        nextOccurrence = occurrences?.next()
        guard let shownThrough else { return }
        while let occurrence = nextOccurrence, occurrence.civil.civilSeconds <= shownThrough,
            pending[identifier(occurrence)] == nil
        {
            nextOccurrence = occurrences?.next()
        }
    }

    private func identifier(_ occurrence: Occurrence) -> String {
        RequestIdentifier.make(
            reminder.key, occurrence, followsClock: reminder.schedule.zonePolicy != .instant)
    }

    private func request(_ occurrence: Occurrence) -> PlannedRequest {
        // The system shows a civil time at its first instant; the second one needs to be named by its instant.
        let followsDevice = reminder.isFloating && occurrence.note != .repeated(.second)
        return PlannedRequest(
            identifier: identifier(occurrence), key: reminder.key,
            trigger: followsDevice ? .civil(occurrence.local) : .instant(occurrence.instant),
            civil: occurrence.civil, instant: occurrence.instant, contentMark: reminder.contentMark)
    }
}
