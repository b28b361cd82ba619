internal import Recurrence

/// One run of the planner.
struct PlanningWork: Sendable {
    private struct Candidate: Sendable {
        let index: Int
        /// The first occurrence or snooze after now.
        let first: Instant
    }

    private let reminders: [CompiledReminder]
    private let now: Instant
    private let zone: Zone
    /// Ours, by identifier.
    private var ours: [String: PendingRequest] = [:]
    /// Ours that are due at this moment: about to be shown.
    private var due: Set<String> = []
    /// Reminders with something to come, soonest first.
    private var candidates: [Candidate] = []
    private var clockChanges: [Zone: [ClockChange]] = [:]
    private let quietHours: QuietHours?
    /// Reminders that quiet hours leave out for good.
    private var alwaysQuiet: [PlanReport.LeftOut] = []
    var plan = Plan()

    init(
        _ reminders: [CompiledReminder], at now: Instant, in zone: Zone, pending: [PendingRequest],
        memory: PlanMemory, quietHours: QuietHours?
    ) {
        self.reminders = reminders
        self.quietHours = quietHours
        self.now = now
        self.zone = zone
        plan.memory = memory
        if memory.zone != zone.name {
            let floating = Set(reminders.lazy.filter(\.isFloating).map(\.key))
            plan.memory.enter(zone, at: now, floating: { floating.contains($0) })
        } else if !memory.shownThrough.isEmpty {
            plan.memory.enter(zone, at: now, floating: { _ in false })
        }
        for request in pending {
            if RequestIdentifier.isOurs(request.identifier) {
                ours[request.identifier] = request
            } else {
                plan.foreignRequestCount += 1
            }
        }
        findCandidates()
        findDue()
    }

    /// Slots that are not to be had.
    var takenSlotCount: Int { plan.foreignRequestCount + due.count }

    /// The first occurrence without a request.
    var firstMissing: Instant? {
        (plan.keys.map(\.firstMissing) + [plan.firstMissing]).compactMap(\.self).min()
    }

    // MARK: Candidates

    private mutating func findCandidates() {
        candidates.reserveCapacity(reminders.count)
        let hasShown = !plan.memory.shownThrough.isEmpty
        for index in reminders.indices {
            let first: Instant?
            let isHeldBack = quietHours != nil && !reminders[index].ignoresQuietHours
            if isHeldBack || hasShown && plan.memory.shownThrough[reminders[index].key] != nil {
                let stream = stream(index, keyPlan: 0, isRepeating: false)
                first = stream.nextInstant
                if first == nil, let quieted = stream.quieted {
                    alwaysQuiet.append(.init(key: reminders[index].key, reason: .quietHours))
                    plan.quieted.append(quieted)
                    continue
                }
            } else {
                let snooze = reminders[index].snoozes.first { $0 > now }
                let occurrence = reminders[index].schedule.next(after: now, in: zone)?.instant
                first = snooze.map { min($0, occurrence ?? $0) } ?? occurrence
            }
            if let first {
                candidates.append(Candidate(index: index, first: first))
            } else {
                plan.ended.append(reminders[index].key)
            }
        }
        candidates.sort {
            ($0.first.millisecondsSince1970, $0.index) < ($1.first.millisecondsSince1970, $1.index)
        }
    }

    private mutating func findDue() {
        let oldest = now.advanced(byMilliseconds: -ReminderLimits.dueGraceMilliseconds)
        let recent = ours.values.filter { $0.instant.map { $0 > oldest && $0 <= now } ?? false }
        guard !recent.isEmpty else { return }
        let keys = Set(reminders.map(\.key))
        for request in recent {
            guard let key = RequestIdentifier.key(of: request.identifier), keys.contains(key) else {
                continue
            }
            due.insert(request.identifier)
        }
    }

    private func stream(_ index: Int, keyPlan: Int, isRepeating: Bool) -> RequestStream {
        RequestStream(
            reminders[index], keyPlan: keyPlan, after: now, in: zone,
            shownThrough: plan.memory.shownThrough[reminders[index].key], pending: ours,
            isRepeating: isRepeating, quietHours: quietHours)
    }

    // MARK: Slots

    /// A plan for an app that may not notify: nothing is added, and what has no reminder any more goes.
    mutating func planNothing() -> Plan {
        let keys = Set(reminders.map(\.key))
        plan.remove = ours.keys.filter { identifier in
            RequestIdentifier.key(of: identifier).map { !keys.contains($0) } ?? true
        }
        plan.remove.sort()
        plan.leftOut =
            alwaysQuiet + candidates.map { .init(key: reminders[$0.index].key, reason: .notAllowed) }
        plan.firstMissing = candidates.first?.first
        return plan
    }

    mutating func allocate(slots: Int) {
        plan.keys = []
        plan.leftOut = alwaysQuiet
        plan.firstMissing = nil
        let chosen = candidates.prefix(slots)
        if chosen.count < candidates.count {
            plan.firstMissing = candidates[chosen.count].first
            plan.leftOut += candidates[chosen.count...].map {
                .init(key: reminders[$0.index].key, reason: .noSlot)
            }
        }
        let repeating = repeatingForms(of: chosen, slots: slots)
        var free = slots
        var streams: [RequestStream] = []
        for candidate in chosen {
            let reminder = reminders[candidate.index]
            var keyPlan = KeyPlan(key: reminder.key, index: candidate.index, isFloating: reminder.isFloating)
            let triggers = repeating[candidate.index]
            var stream = stream(
                candidate.index, keyPlan: plan.keys.count, isRepeating: triggers != nil)
            if let triggers {
                keyPlan.isEndless = true
                let next = reminder.schedule.next(after: now, in: zone)?.instant ?? candidate.first
                keyPlan.requests = triggers.map { request(reminder, $0, first: next) }
                keyPlan.quieted = silenced(reminder, triggers)
            } else if let first = stream.next() {
                keyPlan.requests = [first]
            }
            keyPlan.quieted = keyPlan.quieted ?? stream.quieted
            free -= keyPlan.requests.count
            plan.keys.append(keyPlan)
            if stream.nextInstant != nil { streams.append(stream) }
        }
        fill(&streams, free: free)
    }

    /// Gives what is free to the soonest occurrences, whosever they are.
    private mutating func fill(_ streams: inout [RequestStream], free: Int) {
        var free = free
        while !streams.isEmpty {
            var soonest = 0
            for index in streams.indices.dropFirst()
            where Self.isSooner(streams[index].nextInstant, than: streams[soonest].nextInstant) {
                soonest = index
            }
            guard free > 0, let request = streams[soonest].next() else { break }
            free -= 1
            let keyPlan = streams[soonest].keyPlan
            plan.keys[keyPlan].requests.append(request)
            plan.keys[keyPlan].quieted = plan.keys[keyPlan].quieted ?? streams[soonest].quieted
            if streams[soonest].nextInstant == nil { streams.remove(at: soonest) }
        }
        for stream in streams { plan.keys[stream.keyPlan].firstMissing = stream.nextInstant }
    }

    /// The first occurrence of repeating triggers that quiet hours silence.
    private func silenced(
        _ reminder: CompiledReminder, _ triggers: [RepeatingTrigger]
    ) -> PlanReport.Quieted? {
        guard let quietHours, triggers.contains(where: { isSilent(reminder, $0) }) else { return nil }
        let first = reminder.schedule.occurrences(after: now, in: zone).prefix(ReminderLimits.slotCount)
            .first { quietHours.contains($0.local.time) }
        return first.map { .init(key: reminder.key, instant: $0.instant, effect: .silence) }
    }

    private func isSilent(_ reminder: CompiledReminder, _ trigger: RepeatingTrigger) -> Bool {
        !reminder.ignoresQuietHours && quietHours?.contains(trigger.time) == true
    }

    private static func isSooner(_ left: Instant?, than right: Instant?) -> Bool {
        guard let left, let right else { return left != nil }
        return left < right
    }

    // MARK: Repeating triggers

    /// The triggers of those reminders that are some exactly and can have them within a fair share of the slots.
    private mutating func repeatingForms(
        of chosen: ArraySlice<Candidate>, slots: Int
    ) -> [Int: [RepeatingTrigger]] {
        var forms: [(candidate: Candidate, triggers: [RepeatingTrigger])] = []
        for candidate in chosen {
            if let triggers = repeatingTriggers(candidate) { forms.append((candidate, triggers)) }
        }
        forms.sort { ($0.triggers.count, $0.candidate.first) < ($1.triggers.count, $1.candidate.first) }
        var found: [Int: [RepeatingTrigger]] = [:]
        var free = slots
        var keys = chosen.count
        for (candidate, triggers) in forms where triggers.count <= free / keys {
            found[candidate.index] = triggers
            free -= triggers.count
            keys -= 1
        }
        return found
    }

    private mutating func repeatingTriggers(_ candidate: Candidate) -> [RepeatingTrigger]? {
        let reminder = reminders[candidate.index]
        guard let triggers = reminder.repeating, plan.memory.shownThrough[reminder.key] == nil else {
            return nil
        }
        if let quietHours, !reminder.ignoresQuietHours {
            // Where other clocks decide when it fires, what the device shows then changes over the year.
            guard reminder.isFloating else { return nil }
            let isHeldBack = triggers.contains { quietHours.contains($0.time) }
            guard !isHeldBack || quietHours.effect == .silence else { return nil }
        }
        let schedule = reminder.schedule
        let clock = reminder.clock(zone)
        let civil = clock.civil(at: now)
        // Exclusions that are past do not matter any more.
        let isExcluding = schedule.exclusions.contains { moment in
            switch moment {
            case .instant(let instant): instant > now
            case .civil(let time): time > civil.advanced(bySeconds: -86_400)
            case .date(let date): date >= civil.date
            }
        }
        guard !isExcluding, !isHeldByStart(reminder, civil: civil) else { return nil }
        if triggers.count > 1 {
            if clockChanges[clock] == nil {
                clockChanges[clock] = ClockChange.changes(
                    in: clock, after: now, seconds: ReminderLimits.clockChangeSecondsMax)
            }
            let changes = clockChanges[clock] ?? []
            if RepeatingForm.collide(triggers, isFloating: reminder.isFloating, transitions: changes) {
                return nil
            }
        }
        return triggers
    }

    /// Whether the start keeps an occurrence away that a repeating trigger would show.
    private func isHeldByStart(_ reminder: CompiledReminder, civil: CivilDateTime) -> Bool {
        guard let date = reminder.schedule.start.civilDate else { return true }
        if CivilDateTime(date.daysLater(1)) <= civil { return false }
        // The calendar repeats after 400 years, so this is the same rule without its start.
        let rule = reminder.schedule.rule
        let time = reminder.schedule.start.civilTime ?? .midnight
        let earlier = Moment.civil(CivilDateTime(date.daysLater(-146_097), time))
        guard
            let unbounded = try? Schedule(
                rule: rule, start: earlier, zonePolicy: reminder.schedule.zonePolicy)
        else { return true }
        return unbounded.next(after: now, in: zone) != reminder.schedule.next(after: now, in: zone)
    }

    private func request(
        _ reminder: CompiledReminder, _ trigger: RepeatingTrigger, first: Instant
    ) -> PlannedRequest {
        PlannedRequest(
            identifier: RequestIdentifier.make(reminder.key, trigger), key: reminder.key,
            trigger: .repeating(trigger, reminder.isFloating ? nil : reminder.clock(zone)), instant: first,
            quiet: isSilent(reminder, trigger) ? .silence : nil, contentMark: reminder.contentMark)
    }

    // MARK: Difference

    /// The difference to what is pending.
    mutating func finish() -> Plan {
        var wanted = due
        var requests = plan.keys.flatMap(\.requests)
        if let openApp = plan.openApp { requests.append(openApp) }
        for request in requests {
            wanted.insert(request.identifier)
            if ours[request.identifier]?.mark == request.mark {
                plan.keptCount += 1
            } else {
                plan.add.append(request)
            }
        }
        plan.add.sort { ($0.instant, $0.identifier) < ($1.instant, $1.identifier) }
        plan.remove = ours.keys.filter { !wanted.contains($0) }.sorted()
        return plan
    }
}

extension CivilDate {
    func daysLater(_ days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }
}
