internal import Recurrence

/// When a push is due, worked out from its request.
struct PushTiming {
    /// Clocks are at most this far ahead of UTC (Pacific/Kiritimati) and behind it (Etc/GMT+12).
    static let mostAheadSeconds: Int64 = 14 * 3600
    static let mostBehindSeconds: Int64 = 12 * 3600

    /// When the first device is due.
    var dueAt: Instant
    /// When the last device is due.
    var lastAt: Instant
    /// The occurrence of a recurring push that is due then, in the text of ``occurrenceText``.
    var occurrence: String?

    /// When a new request is due first.
    ///
    /// - Throws: `invalid` for a rule that cannot be read or never fires.
    init(_ request: PushRequest, now: Instant) throws(StoreError) {
        if let schedule = request.schedule {
            let recurring = try RecurringPush(schedule, createdAt: now)
            guard let next = recurring.next(after: nil) else {
                throw StoreError(.invalid, "schedule: the rule never fires in its time")
            }
            self = next
            return
        }
        switch request.time {
        case .now: self.init(dueAt: now, lastAt: now)
        case .at(let instant): self.init(dueAt: instant, lastAt: instant)
        case .local(let civil): self.init(local: civil)
        }
    }

    /// When devices all over the world show a time.
    init(local civil: CivilDateTime) {
        guard let utc = Zone.utc.occurrence(of: civil)?.instant else {
            // UTC has no gap.
            self.init(dueAt: Instant(millisecondsSince1970: 0), lastAt: Instant(millisecondsSince1970: 0))
            return
        }
        self.init(
            dueAt: utc.advanced(bySeconds: -Self.mostAheadSeconds),
            lastAt: utc.advanced(bySeconds: Self.mostBehindSeconds))
    }

    init(dueAt: Instant, lastAt: Instant, occurrence: String? = nil) {
        self.dueAt = dueAt
        self.lastAt = lastAt
        self.occurrence = occurrence
    }
}
