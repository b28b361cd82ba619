internal import Recurrence

/// The requests of one reminder that are still to be planned, soonest first.
struct RequestStream: Sendable {
    /// Its place in the plan's list of keys.
    let keyPlan: Int
    private let reminder: CompiledReminder
    /// Nil when only snoozes are left, the rule being planned otherwise.
    private var occurrences: Occurrences?
    private var snoozes: ArraySlice<Instant>
    private var upcoming: Firing?
    /// What counts as shown, in civil seconds, unless it is pending.
    private let shownThrough: Int?
    private let pending: [String: PendingRequest]
    private let now: Instant
    private let zone: Zone
    /// Nil as well for a reminder that ignores them.
    private let quietHours: QuietHours?
    /// The last instant that postponed occurrences came together at.
    private var postponedTo: Instant?
    /// The first occurrence that quiet hours held back, so far.
    private(set) var quieted: PlanReport.Quieted?

    /// An occurrence, and when it really fires.
    private struct Firing: Sendable {
        var occurrence: Occurrence
        var instant: Instant
        /// What the clocks show then.
        var local: CivilDateTime
        var quiet: QuietHours.Effect?
    }

    init(
        _ reminder: CompiledReminder, keyPlan: Int, after now: Instant, in zone: Zone, shownThrough: Int?,
        pending: [String: PendingRequest], isRepeating: Bool, quietHours: QuietHours? = nil
    ) {
        self.keyPlan = keyPlan
        self.reminder = reminder
        self.shownThrough = shownThrough
        self.pending = pending
        self.now = now
        self.zone = zone
        self.quietHours = reminder.ignoresQuietHours ? nil : quietHours
        snoozes = reminder.snoozes.drop { $0 <= now }
        if !isRepeating {
            // What was postponed last night is still to come in the morning.
            let isLate = self.quietHours?.effect == .postpone
            occurrences = reminder.schedule.occurrences(
                after: isLate ? now.advanced(bySeconds: -86_400) : now, in: zone)
            advance()
        }
    }

    /// When the next one fires; nil at the end.
    var nextInstant: Instant? {
        guard let snooze = snoozes.first else { return upcoming?.instant }
        return upcoming.map { min($0.instant, snooze) } ?? snooze
    }

    mutating func next() -> PlannedRequest? {
        if let snooze = snoozes.first, upcoming.map({ snooze < $0.instant }) ?? true {
            snoozes.removeFirst()
            return PlannedRequest(
                identifier: RequestIdentifier.make(reminder.key, snooze: snooze), key: reminder.key,
                trigger: .instant(snooze), instant: snooze, contentMark: reminder.contentMark)
        }
        guard let firing = upcoming else { return nil }
        advance()
        return request(firing)
    }

    private mutating func advance() {
        upcoming = nil
        var nightCount = 0
        let nightCountMax =
            reminder.isFloating ? ReminderLimits.quietNightCountMax : ReminderLimits.foreignQuietNightCountMax
        while nightCount <= nightCountMax, let occurrence = occurrences?.next() {
            if let shownThrough, occurrence.civil.civilSeconds <= shownThrough,
                pending[identifier(occurrence)] == nil
            {
                continue
            }
            guard let firing = firing(occurrence) else {
                if quietHours?.effect == .leaveOut { nightCount += 1 }
                continue
            }
            guard firing.instant > now else { continue }
            upcoming = firing
            return
        }
    }

    /// When an occurrence fires; nil when quiet hours leave it out, or it comes together with one before.
    private mutating func firing(_ occurrence: Occurrence) -> Firing? {
        // By the device's clocks, whosever the schedule follows.
        let shown = reminder.isFloating ? occurrence.local : zone.civil(at: occurrence.instant)
        guard let quietHours, quietHours.contains(shown.time) else {
            // One at the very end of the quiet hours brings what was postponed.
            if occurrence.instant == postponedTo { return nil }
            return Firing(occurrence: occurrence, instant: occurrence.instant, local: occurrence.local)
        }
        let effect = quietHours.effect
        var firing: Firing? = Firing(
            occurrence: occurrence, instant: occurrence.instant, local: occurrence.local, quiet: effect)
        switch effect {
        case .silence: break
        case .leaveOut:
            firing = nil
            // The rest of the night is left out too.
            if let end = zone.occurrence(of: quietHours.end(after: shown)) {
                occurrences = reminder.schedule.occurrences(
                    after: end.instant.advanced(byMilliseconds: -1), in: zone)
            }
        case .postpone:
            let end = quietHours.end(after: shown)
            // Where clocks skip the end of the quiet hours it comes as much later.
            guard let found = zone.occurrence(of: end) else { return nil }
            firing = found.instant == postponedTo ? nil : firing
            firing?.instant = found.instant
            firing?.local = found.local
            postponedTo = found.instant
        }
        if quieted == nil, occurrence.instant > now || firing.map({ $0.instant > now }) == true {
            quieted = .init(key: reminder.key, instant: occurrence.instant, effect: effect)
        }
        return firing
    }

    private func identifier(_ occurrence: Occurrence) -> String {
        RequestIdentifier.make(
            reminder.key, occurrence, followsClock: reminder.schedule.zonePolicy != .instant)
    }

    private func request(_ firing: Firing) -> PlannedRequest {
        let occurrence = firing.occurrence
        // The system shows a civil time at its first instant; the second one needs to be named by its instant.
        let followsDevice = reminder.isFloating && occurrence.note != .repeated(.second)
        return PlannedRequest(
            identifier: identifier(occurrence), key: reminder.key,
            trigger: followsDevice ? .civil(firing.local) : .instant(firing.instant),
            civil: occurrence.civil, instant: firing.instant, quiet: firing.quiet,
            contentMark: reminder.contentMark)
    }
}
