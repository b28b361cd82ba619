/// A rule with its start, its end, what is left out, and whose clocks it follows.
///
/// Rules are steps of calendar and wall clock, also HOURLY and MINUTELY ones: "every hour" is every full hour that
/// the clock shows. When clocks go forward the hour that does not exist falls on the one after it and fires once;
/// when they go back the hour that comes twice fires the first time, or both times with ``FoldPolicy/both``. An hour
/// that passes, whatever clocks do, is HOURLY with ``ZonePolicy/instant``. BYHOUR and windows name times of the wall
/// clock and are met on every day of the year.
///
/// The start bounds the occurrences and gives a rule what it leaves out (RFC 5545, section 3.3.10); unlike there it
/// is no occurrence itself unless the rule says so. Two civil times that fall on one instant fire once. Counts count
/// civil times, before exclusions, before a zone skips or merges some.
///
/// A value: safe to share, no clock inside. The next occurrence costs well below a microsecond for ordinary rules;
/// where there is a count, the rule is walked from its start.
public struct Schedule: Hashable, Sendable {
    /// When it repeats.
    public let rule: Rule
    /// The moment before which it does not fire.
    ///
    /// An instant has the wall clock of the fixed zone, or UTC's where there is none; nothing fires before either.
    public let start: Moment
    /// The last moment at which it may fire; the rule's UNTIL counts as well.
    public let until: Moment?
    /// How many civil times it has; the rule's COUNT counts as well.
    public let count: Int?
    /// What is left out; a civil time is the one that the rule names.
    public let exclusions: [Moment]
    /// Whose clocks it follows.
    public let zonePolicy: ZonePolicy
    /// What happens to times that clocks jump over.
    public let gapPolicy: GapPolicy
    /// Which of two instants counts when clocks show a time twice.
    public let foldPolicy: FoldPolicy
    /// What happens in months that lack a day.
    public let monthEndPolicy: MonthEndPolicy

    let engine: RuleEngine
    let bounds: ScheduleBounds
    private let excluded: ScheduleExclusions

    /// Makes a schedule.
    ///
    /// - Throws: `invalidValue` for a count below 1 or too large, `tooLong` for too many exclusions.
    public init(
        rule: Rule, start: Moment, until: Moment? = nil, count: Int? = nil, exclusions: [Moment] = [],
        zonePolicy: ZonePolicy = .floating, gapPolicy: GapPolicy = .shiftForward,
        foldPolicy: FoldPolicy = .first, monthEndPolicy: MonthEndPolicy = .skip
    ) throws(RecurrenceError) {
        if let count { try Rule.check(count: count, "count") }
        guard exclusions.count <= RecurrenceLimits.exclusionCountMax else {
            throw RecurrenceError(
                code: .tooLong, field: "exclusions",
                message: "exclusions: \(exclusions.count); allowed: \(RecurrenceLimits.exclusionCountMax)")
        }
        self.rule = rule
        self.start = start
        self.until = until
        self.count = count
        self.exclusions = exclusions
        self.zonePolicy = zonePolicy
        self.gapPolicy = gapPolicy
        self.foldPolicy = foldPolicy
        self.monthEndPolicy = monthEndPolicy
        var civilStart = start.civilStart
        if case .instant(let instant) = start, case .fixed(let zone) = zonePolicy {
            civilStart = zone.civil(at: instant)
        }
        bounds = ScheduleBounds(start: start, ends: [rule.until, until].compactMap(\.self))
        excluded = ScheduleExclusions(exclusions)
        engine = RuleEngine(rule, start: civilStart, monthEnd: monthEndPolicy)
    }

    /// A schedule that fires once.
    public static func once(
        at moment: Moment, zonePolicy: ZonePolicy = .floating, gapPolicy: GapPolicy = .shiftForward,
        foldPolicy: FoldPolicy = .first
    ) throws(RecurrenceError) -> Schedule {
        try Schedule(
            rule: Rule(.daily, count: 1), start: moment, zonePolicy: zonePolicy, gapPolicy: gapPolicy,
            foldPolicy: foldPolicy)
    }

    /// Whether it can be told without a search that it never fires: 30 February.
    public var isImpossible: Bool { engine.isImpossible }

    /// The smaller of the two counts.
    var effectiveCount: Int? {
        guard let count, let ruleCount = rule.count else { return count ?? rule.count }
        return min(count, ruleCount)
    }

    // MARK: Civil times

    /// The civil times after one, in order, the same for every zone.
    ///
    /// For a sender that fires each of them in many zones: ``occurrences(of:in:)`` gives the instants. An UNTIL or an
    /// exclusion that is an instant is applied there, since it depends on the zone.
    ///
    /// - Parameter civil: nil begins with the first one.
    public func civilOccurrences(after civil: CivilDateTime? = nil) -> CivilOccurrences {
        CivilOccurrences(self, from: civil.map { $0.civilSeconds + 1 } ?? engine.start)
    }

    /// The first civil time after one; nil when there is none.
    public func nextCivil(after civil: CivilDateTime) -> CivilDateTime? {
        var times = civilOccurrences(after: civil)
        return times.next()
    }

    /// What one of its civil times is in a zone: none, one, or two with ``FoldPolicy/both``.
    ///
    /// Whether another civil time falls on the same instant is not looked at.
    public func occurrences(of civil: CivilDateTime, in zone: Zone) -> [Occurrence] {
        resolve(civil.civilSeconds, in: effectiveZone(zone)).filter { isLetThrough($0) }
    }

    // MARK: Instants

    /// The occurrences after an instant, in order, worked out one by one.
    ///
    /// - Parameters:
    ///   - instant: nil begins with the first one; an occurrence at this very instant is not given.
    ///   - zone: the device's zone; schedules that are not floating take no notice of it.
    public func occurrences(after instant: Instant?, in zone: Zone) -> Occurrences {
        Occurrences(self, after: instant, zone: effectiveZone(zone))
    }

    /// The occurrences within a range of instants, in order, worked out one by one.
    public func occurrences(in range: Range<Instant>, in zone: Zone) -> Occurrences {
        let before = range.lowerBound.advanced(byMilliseconds: -1)
        return Occurrences(self, after: before, zone: effectiveZone(zone), end: range.upperBound)
    }

    /// The first occurrence after an instant; nil when there is none.
    public func next(after instant: Instant, in zone: Zone) -> Occurrence? {
        var occurrences = occurrences(after: instant, in: zone)
        return occurrences.next()
    }

    private func effectiveZone(_ zone: Zone) -> Zone {
        switch zonePolicy {
        case .floating: zone
        case .fixed(let fixed): fixed
        case .instant: .utc
        }
    }

    // MARK: Rules of one occurrence

    func isExcluded(civilSeconds: Int) -> Bool { excluded.contains(civilSeconds: civilSeconds) }

    /// Whether start, end and exclusions that are instants let an occurrence through.
    func isLetThrough(_ occurrence: Occurrence) -> Bool {
        bounds.contains(occurrence.instant) && !excluded.contains(occurrence.instant)
    }

    /// The instants of a civil time by the policies.
    private func resolve(_ civilSeconds: Int, in zone: Zone) -> [Occurrence] {
        let civil = CivilDateTime(civilSeconds: civilSeconds)
        if foldPolicy == .both, case .twice(_, let second) = zone.match(civil) {
            return [
                zone.occurrence(of: civil),
                Occurrence(civil: civil, offset: second, note: .repeated(.second)),
            ]
            .compactMap(\.self)
        }
        return zone.occurrence(of: civil, gap: gapPolicy, fold: foldPolicy).map { [$0] } ?? []
    }
}
