/// Walks over the civil times of a rule, in order, from any time on.
///
/// Positions are civil seconds. The search goes from one day or slot that may fit straight to the next; a rule that
/// stays silent for 400 years has ended.
struct RuleCursor: Sendable {
    let engine: RuleEngine
    var month: MonthCursor
    private let startDay: Int
    private let startSlot: Int
    private let startMonthIndex: Int
    private let startYear: Int
    /// The first day of the week that the start is in.
    private let startWeek: Int

    /// Where the slot begins whose times are given out; nil at the end.
    private var slot: Int?
    private var index = 0
    /// What BYSETPOS chose of the present period; nil for rules without it.
    private var chosen: [Int]?
    /// The first day or slot of the next period, for rules with BYSETPOS.
    private var nextPeriod = 0

    /// - Parameter first: no time before it is given out.
    init(_ engine: RuleEngine, from first: Int) {
        self.engine = engine
        month = MonthCursor(engine.days)
        startDay = engine.start.floorDivided(by: 86_400)
        startSlot = engine.start.floorDivided(by: engine.frequency.slotSeconds)
        let (year, month, _) = CivilDate(daysSince1970: startDay).components
        startYear = year
        startMonthIndex = year * 12 + month - 1
        startWeek =
            startDay - (CivilDate.weekdayIndex(ofDay: startDay) - engine.weekStart.rawValue + 1).modulo(7)
        seek(max(first, engine.start))
    }

    /// The next time; nil at the end.
    mutating func next() -> Int? {
        if chosen != nil { return nextChosen() }
        while let slot {
            if index < engine.times.count {
                index += 1
                return slot + engine.times[index - 1]
            }
            enterSlot(from: slot.floorDivided(by: engine.frequency.slotSeconds) + 1)
        }
        return nil
    }

    private mutating func seek(_ first: Int) {
        guard !engine.isImpossible else { return }
        let unit = engine.frequency.slotSeconds
        // The window of the day before may go on after midnight.
        let firstSlot = first.floorDivided(by: unit) - (engine.times.crossesMidnight ? 1 : 0)
        if engine.setPositions.isEmpty {
            enterSlot(from: firstSlot)
            while let slot, slot + engine.times[engine.times.count - 1] < first {
                enterSlot(from: slot.floorDivided(by: unit) + 1)
            }
            if let slot, slot < first { index = engine.times.firstIndex(atOrAfter: first - slot) }
        } else {
            chosen = []
            nextPeriod = periodStart(firstSlot)
            while let time = nextChosen() {
                if time >= first {
                    index -= 1
                    return
                }
            }
        }
    }

    private mutating func enterSlot(from first: Int) {
        let found = engine.frequency.isSubdaily ? matchingSlot(from: first) : matchingDay(from: first)
        slot = found.map { $0 * engine.frequency.slotSeconds }
        index = 0
    }

    // MARK: Days

    /// The first day at or after one that fits and whose period takes part.
    private mutating func matchingDay(from first: Int) -> Int? {
        var day = first
        for _ in 0..<RecurrenceLimits.quietVisitCountMax {
            guard day <= RuleEngine.lastDay else { return nil }
            day = dayTakingPart(from: day)
            guard day <= RuleEngine.lastDay else { return nil }
            if let match = month.match(from: day) {
                if match == day || dayTakingPart(from: match) == match { return match }
                day = match
            } else {
                day = month.first + month.length
            }
        }
        return nil
    }

    /// The first day at or after one that INTERVAL lets through.
    private mutating func dayTakingPart(from day: Int) -> Int {
        let interval = engine.interval
        guard interval > 1 else { return day }
        switch engine.frequency {
        case .daily:
            let rest = (day - startDay).modulo(interval)
            return rest == 0 ? day : day + interval - rest
        case .weekly:
            let week = (day - startWeek).floorDivided(by: 7)
            let rest = week.modulo(interval)
            return rest == 0 ? day : startWeek + (week + interval - rest) * 7
        case .monthly:
            month.load(day)
            let rest = (month.monthIndex - startMonthIndex).modulo(interval)
            return rest == 0 ? day : Self.firstDay(ofMonth: month.monthIndex + interval - rest)
        case .yearly:
            month.load(day)
            let rest = (month.year - startYear).modulo(interval)
            return rest == 0 ? day : Self.firstDay(ofMonth: (month.year + interval - rest) * 12)
        case .hourly, .minutely:
            return day
        }
    }

    private static func firstDay(ofMonth index: Int) -> Int {
        CivilDate(uncheckedYear: index.floorDivided(by: 12), month: index.modulo(12) + 1, day: 1)
            .daysSince1970
    }

    // MARK: Hours and minutes

    /// The first hour or minute at or after one that fits and takes part.
    private mutating func matchingSlot(from first: Int) -> Int? {
        let slotsPerDay = 86_400 / engine.frequency.slotSeconds
        let slotsPerHour = slotsPerDay / 24
        var slot = first
        for _ in 0..<RecurrenceLimits.quietVisitCountMax {
            let rest = (slot - startSlot).modulo(engine.interval)
            if rest > 0 { slot += engine.interval - rest }
            let day = slot.floorDivided(by: slotsPerDay)
            guard day <= RuleEngine.lastDay else { return nil }
            guard let match = month.match(from: day) else {
                slot = (month.first + month.length) * slotsPerDay
                continue
            }
            guard match == day else {
                slot = match * slotsPerDay
                continue
            }
            let (hour, minute) = (slot - day * slotsPerDay).quotientAndRemainder(dividingBy: slotsPerHour)
            let hours = engine.hourMask >> UInt32(hour)
            guard hours & 1 == 1 else {
                let next = hours == 0 ? 24 : hour + hours.trailingZeroBitCount
                slot = day * slotsPerDay + next * slotsPerHour
                continue
            }
            guard engine.frequency == .minutely else { return slot }
            let minutes = engine.minuteMask >> UInt64(minute)
            guard minutes & 1 == 1 else {
                slot += minutes == 0 ? 60 - minute : minutes.trailingZeroBitCount
                continue
            }
            return slot
        }
        return nil
    }

    // MARK: BYSETPOS

    private mutating func nextChosen() -> Int? {
        for _ in 0..<RecurrenceLimits.quietPeriodCountMax {
            while let chosen, index < chosen.count {
                index += 1
                // A period may begin before the start.
                if chosen[index - 1] >= engine.start { return chosen[index - 1] }
            }
            guard choose() else { return nil }
        }
        return nil
    }

    /// Chooses among the times of the next period that has any; false at the end.
    private mutating func choose() -> Bool {
        index = 0
        chosen = []
        let isSubdaily = engine.frequency.isSubdaily
        guard let first = isSubdaily ? matchingSlot(from: nextPeriod) : matchingDay(from: nextPeriod) else {
            return false
        }
        var slots = [first]
        nextPeriod = periodEnd(first)
        if !isSubdaily {
            var day = first + 1
            while day < nextPeriod {
                if let match = month.match(from: day) {
                    if match < nextPeriod { slots.append(match) }
                    day = match + 1
                } else {
                    day = month.first + month.length
                }
            }
        }
        let timeCount = engine.times.count
        let total = slots.count * timeCount
        var indexes: Set<Int> = []
        for position in engine.setPositions {
            let index = position > 0 ? position - 1 : total + position
            if (0..<total).contains(index) { indexes.insert(index) }
        }
        chosen = indexes.sorted().map {
            slots[$0 / timeCount] * engine.frequency.slotSeconds + engine.times[$0 % timeCount]
        }
        return true
    }

    /// The first day or slot of the period that one is in.
    private mutating func periodStart(_ slot: Int) -> Int {
        switch engine.frequency {
        case .yearly:
            month.load(slot)
            return Self.firstDay(ofMonth: month.year * 12)
        case .monthly:
            month.load(slot)
            return month.first
        case .weekly: return startWeek + (slot - startWeek).floorDivided(by: 7) * 7
        case .daily, .hourly, .minutely: return slot
        }
    }

    /// The first day or slot after the period that one is in.
    private mutating func periodEnd(_ slot: Int) -> Int {
        switch engine.frequency {
        case .yearly:
            month.load(slot)
            return Self.firstDay(ofMonth: (month.year + 1) * 12)
        case .monthly:
            month.load(slot)
            return month.first + month.length
        case .weekly: return periodStart(slot) + 7
        case .daily, .hourly, .minutely: return slot + 1
        }
    }
}
