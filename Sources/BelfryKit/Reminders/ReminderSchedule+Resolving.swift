public import Recurrence

extension ReminderSchedule {
    /// The next occurrences, for a settings screen, without setting anything.
    ///
    /// An occurrence's `local` is by the clocks that the schedule follows, which for instants are UTC's; what the device
    /// will show is `zone.civil(at: occurrence.instant)`.
    ///
    /// - Parameters:
    ///   - instant: occurrences are after it.
    ///   - zone: the device's.
    ///   - countMax: how many at most.
    /// - Throws: `invalidSchedule`, `pastDate`, `neverFires`, as setting it would.
    public func preview(
        _ countMax: Int = 10, after instant: Instant, in zone: Zone
    ) throws(BelfryKitError) -> [Occurrence] {
        let schedule = try resolution(at: instant, in: zone).compiled
        return Array(schedule.occurrences(after: instant, in: zone).prefix(countMax))
    }

    /// The schedule with everything filled in that depends on the moment at which it is set.
    func resolved(at now: Instant, in zone: Zone) throws(BelfryKitError) -> ReminderSchedule {
        try resolution(at: now, in: zone).schedule
    }

    /// The same, with what the engine takes.
    func resolution(
        at now: Instant, in zone: Zone
    ) throws(BelfryKitError) -> (schedule: ReminderSchedule, compiled: Schedule) {
        if rule == nil, start != nil || end != nil || count != nil {
            throw BelfryKitError(
                .invalidSchedule,
                "schedule: '\(summary)' has a start, an end or a count; allowed: those of a rule only")
        }
        var resolved = self
        if case .after(let seconds) = kind {
            let instant = now.advanced(byMilliseconds: Int64((seconds * 1000).rounded(.up)))
            resolved.kind = .once(.instant(instant.roundedUpToSeconds))
            return (resolved, try resolved.compiled())
        }
        if case .rule(let rule) = kind { try resolved.anchor(rule, at: now, in: zone) }
        let schedule = try resolved.compiled()
        guard !schedule.isImpossible else {
            throw BelfryKitError(.neverFires, "schedule: '\(summary)' names a day or time that never comes")
        }
        guard schedule.next(after: now, in: zone) == nil else { return (resolved, schedule) }
        try resolved.treatPast(schedule, at: now, in: zone)
        return (resolved, try resolved.compiled())
    }

    /// The schedule as the engine takes it; resolved before.
    func compiled() throws(BelfryKitError) -> Schedule {
        try BelfryKitError.rules { () throws(RecurrenceError) in
            switch kind {
            case .rule(let rule):
                // Not anchored only in a preview of a part: the day of the epoch is as good as any.
                return try Schedule(
                    rule: rule, start: start ?? .date(anchor ?? CivilDate(daysSince1970: 0)), until: end,
                    count: count.map { $0 + uncountedTimes }, exclusions: exclusions, zonePolicy: zonePolicy,
                    gapPolicy: gapPolicy, foldPolicy: foldPolicy, monthEndPolicy: monthEndPolicy)
            case .once(let moment):
                var policy = zonePolicy
                if case .instant = moment { policy = .instant }
                return try Schedule(
                    rule: Rule(.daily, count: 1), start: moment, exclusions: exclusions, zonePolicy: policy,
                    gapPolicy: gapPolicy, foldPolicy: foldPolicy)
            case .after(let seconds):
                throw RecurrenceError(
                    code: .contradiction, field: "schedule",
                    message: "schedule: '\(seconds) s after it is set' is not set yet")
            }
        }
    }

    /// The zone whose clocks it follows.
    func clock(_ zone: Zone) -> Zone {
        switch zonePolicy {
        case .floating: zone
        case .fixed(let fixed): fixed
        case .instant: .utc
        }
    }

    /// Counts steps from today, and what is counted from now.
    private mutating func anchor(_ rule: Rule, at now: Instant, in zone: Zone) throws(BelfryKitError) {
        if let ruleCount = rule.count {
            count = min(count ?? ruleCount, ruleCount)
            kind = try .rule(BelfryKitError.rules { () throws(RecurrenceError) in try rule.withoutCount })
        }
        guard start == nil, anchor == nil else { return }
        let needsTime = !rule.frequency.isWithinDay && rule.window == nil && rule.hours.isEmpty
        guard !needsTime else {
            throw BelfryKitError(
                .invalidSchedule, "BYHOUR", found: rule.text, allowed: "an hour, or a start that has one")
        }
        let civil = clock(zone).civil(at: now)
        anchor = civil.date
        guard count != nil else { return }
        var unlimited = self
        unlimited.count = nil
        uncountedTimes = try unlimited.compiled().civilOccurrences().prefix { $0 <= civil }.count
    }

    private mutating func treatPast(
        _ schedule: Schedule, at now: Instant, in zone: Zone
    ) throws(BelfryKitError) {
        switch (pastDatePolicy, kind) {
        case (.fireNow, _):
            kind = .once(.instant(now.advanced(bySeconds: 1).roundedUpToSeconds))
            exclusions = []
        case (.nextOccurrence, .once(let moment)):
            let zone = clock(zone)
            let civil: CivilDateTime =
                switch moment {
                case .instant(let instant): zone.civil(at: instant)
                case .civil(let civil): civil
                case .date(let date): CivilDateTime(date)
                }
            let today = CivilDateTime(zone.civil(at: now).date, civil.time)
            let isToCome = zone.occurrence(of: today, gap: gapPolicy, fold: foldPolicy)
                .map { $0.instant > now }
            let next = isToCome == true ? today : today.advanced(bySeconds: 86_400)
            kind = .once(.civil(next))
            if case .instant = moment, let found = zone.occurrence(of: next) {
                kind = .once(.instant(found.instant))
            }
        default:
            throw BelfryKitError(
                .pastDate,
                "schedule: '\(summary)' has no occurrence after now; "
                    + "allowed: one that has, or ifPast(.fireNow) or ifPast(.nextOccurrence)")
        }
    }
}

extension Frequency {
    /// Whether it repeats within a day.
    var isWithinDay: Bool { self == .hourly || self == .minutely }
}
