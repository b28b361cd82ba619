public import Recurrence

extension ReminderSchedule {
    /// The same days at other times.
    ///
    /// - Throws: `invalidSchedule`, also for what fires at an instant, which has no time of day.
    public func at(_ times: ReminderTime...) throws(BelfryKitError) -> ReminderSchedule {
        var clock: [TimeOfDay] = []
        for time in times { clock.append(try time.timeOfDay("at")) }
        var changed = self
        switch kind {
        case .rule(let rule):
            changed.kind = try .rule(
                BelfryKitError.rules { () throws(RecurrenceError) in try rule.at(clock) })
        case .once(.civil(let civil)) where clock.count == 1:
            changed.kind = .once(.civil(CivilDateTime(civil.date, clock[0])))
        default:
            throw BelfryKitError(
                .invalidSchedule, "at", found: summary, allowed: "a rule, or one time for what fires once")
        }
        return changed
    }

    /// The same times on other weekdays.
    ///
    /// - Throws: `invalidSchedule` when no day is given, and for what fires once.
    public func on(_ weekdays: Set<Weekday>) throws(BelfryKitError) -> ReminderSchedule {
        let days = try Self.plain(weekdays)
        guard case .rule(let rule) = kind else {
            throw BelfryKitError(.invalidSchedule, "on", found: summary, allowed: "weekdays of a rule only")
        }
        var changed = self
        changed.kind = try .rule(BelfryKitError.rules { () throws(RecurrenceError) in try rule.on(days) })
        return changed
    }

    /// Not before a moment; steps of several days or weeks are counted from it.
    public func starting(_ moment: Moment) -> ReminderSchedule { changed { $0.start = moment } }

    /// Not after a moment; a day counts to its end.
    public func ending(_ moment: Moment) -> ReminderSchedule { changed { $0.end = moment } }

    /// So many times in all, what is left out included.
    public func limited(to count: Int) -> ReminderSchedule { changed { $0.count = count } }

    /// Without some moments, as the rule names them, or whole days.
    public func excluding(_ moments: Moment...) -> ReminderSchedule {
        changed { $0.exclusions += moments }
    }

    /// By the clocks of one zone, or by none: see `ZonePolicy`.
    public func inZone(_ policy: ZonePolicy) -> ReminderSchedule { changed { $0.zonePolicy = policy } }

    /// With another answer to times that clocks jump over.
    public func gap(_ policy: GapPolicy) -> ReminderSchedule { changed { $0.gapPolicy = policy } }

    /// With another answer to times that clocks show twice.
    public func fold(_ policy: FoldPolicy) -> ReminderSchedule { changed { $0.foldPolicy = policy } }

    /// With another answer to months that lack a day.
    public func monthEnd(_ policy: MonthEndPolicy) -> ReminderSchedule {
        changed { $0.monthEndPolicy = policy }
    }

    /// With another answer to a moment that is past.
    public func ifPast(_ policy: PastDatePolicy) -> ReminderSchedule {
        changed { $0.pastDatePolicy = policy }
    }

    /// In quiet hours as at any other time, or held back by them: see ``QuietHours``.
    public func ignoringQuietHours(_ ignores: Bool = true) -> ReminderSchedule {
        changed { $0.ignoresQuietHours = ignores }
    }

    private func changed(_ body: (inout ReminderSchedule) -> Void) -> ReminderSchedule {
        var copy = self
        body(&copy)
        return copy
    }
}
