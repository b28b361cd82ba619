internal import Foundation
public import Recurrence
public import UserNotifications

/// An app's reminders: kept by key, and turned into as many of the system's requests as fit.
///
///     let reminders = Reminders(center: .current(), storage: storage, time: time)
///     try await reminders.set("water", .every(2, .hours, from: "08:00", to: "20:00"), .init(title: "Drink"))
///     try await reminders.set("pill", at: "09:00:00", .init(title: "Take the pill"))
///     try await reminders.set("tea", in: 240, .init(title: "Tea is ready"))
///
/// A device keeps 64 requests of an app and drops more without a word. So the reminders themselves are kept in the
/// storage, and the ``PlanReport`` that most functions return says how far the requests reach. Call ``replan()``:
///
/// - when the app is launched and each time it becomes active,
/// - in a background refresh,
/// - when the device's time zone changes, or the user allows or forbids notifications.
///
/// A plan that is in force already costs a look at the pending requests and changes nothing. Requests of other code
/// are never touched. All functions can be called from any task; the plans of calls that come together are made once.
public actor Reminders {
    /// On the heap, since there are thousands and a dictionary moves its values when it grows.
    final class Entry: Sendable {
        let reminder: Reminder
        let compiled: CompiledReminder

        init(_ reminder: Reminder, _ compiled: CompiledReminder) {
            self.reminder = reminder
            self.compiled = compiled
        }

        convenience init(_ reminder: Reminder) throws(BelfryKitError) {
            self.init(reminder, try CompiledReminder(reminder))
        }
    }

    private let center: ReminderCenter
    private let time: any DeviceTime
    private let planner: Planner
    private let openApp: ReminderContent?
    private let whenFull: FullPolicy
    private var store: ReminderStore
    private(set) var entries: [String: Entry] = [:]
    /// By key; nil after a change.
    private var sorted: [Entry]?

    private var wantedPlans = 0
    private var madePlans = 0
    private var isPlanning = false
    private var lastReport = PlanReport()
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Makes the reminders of an app; one object for the whole app.
    ///
    /// - Parameters:
    ///   - center: where requests go: `.current()` in an app, one on a virtual host in a test.
    ///   - storage: where the reminders are kept.
    ///   - time: the device's clock and zone.
    ///   - openApp: what the last slot says when reminders run dry because the app was not opened; nil for nothing.
    ///   - whenFull: what happens when there are more reminders than slots.
    public init(
        center: UNUserNotificationCenter, storage: any KeyValueStorage, time: any DeviceTime,
        openApp: ReminderContent? = nil, whenFull: FullPolicy = .report
    ) {
        self.center = ReminderCenter(center)
        self.time = time
        self.openApp = openApp
        self.whenFull = whenFull
        planner = Planner(openAppMark: openApp?.mark)
        store = ReminderStore(storage)
    }

    // MARK: Setting

    /// Sets a reminder, in place of one of the same key.
    ///
    /// - Throws: what is wrong with key, schedule or content; `storage`. Nothing is changed then.
    @discardableResult
    public func set(
        _ key: String, _ schedule: ReminderSchedule, _ content: ReminderContent
    ) async throws(BelfryKitError) -> PlanReport {
        try await set([Reminder(key, schedule, content)])
    }

    /// Sets a reminder for each day at a time: `set("pill", at: "09:00:00", content)`.
    @discardableResult
    public func set(
        _ key: String, at time: ReminderTime, _ content: ReminderContent
    ) async throws(BelfryKitError) -> PlanReport {
        try await set(key, .daily(at: time), content)
    }

    /// Sets a reminder that fires once in so many seconds: `set("tea", in: 240, content)`.
    @discardableResult
    public func set(
        _ key: String, in seconds: Double, _ content: ReminderContent
    ) async throws(BelfryKitError) -> PlanReport {
        try await set(key, .after(seconds: seconds), content)
    }

    /// Sets many reminders at once, all or none.
    @discardableResult
    public func set(_ reminders: [Reminder]) async throws(BelfryKitError) -> PlanReport {
        load()
        let now = time.now
        let zone = time.zone
        var changes: [String: Entry?] = [:]
        changes.reserveCapacity(reminders.count)
        for reminder in reminders {
            try Reminder.check(key: reminder.key)
            try reminder.content.check()
            var set = reminder
            let (schedule, compiled) = try reminder.schedule.resolution(at: now, in: zone)
            set.schedule = schedule
            changes[reminder.key] = .some(Entry(set, try CompiledReminder(set, schedule: compiled)))
        }
        return try await change(changes)
    }

    /// Changes some of a reminder and leaves the rest: `update("habit") { $0.schedule = try $0.schedule.at("10:00") }`.
    ///
    /// - Throws: `unknownKey`, what the closure throws, and what setting throws.
    @discardableResult
    public func update(
        _ key: String, _ body: @Sendable (inout Reminder) throws(BelfryKitError) -> Void
    ) async throws(BelfryKitError) -> PlanReport {
        let old = try entry(key).reminder
        var reminder = old
        try body(&reminder)
        try reminder.content.check()
        if reminder.schedule != old.schedule {
            reminder.schedule = try reminder.schedule.resolved(at: time.now, in: time.zone)
            reminder.endedSince = nil
        }
        return try await change([key: Entry(reminder)])
    }

    // MARK: Cancelling

    /// Takes a reminder back, with all of its occurrences and snoozes; other keys do nothing.
    ///
    /// - Parameters:
    ///   - key: the reminder's.
    ///   - removingDelivered: whether what it has shown goes from the list too.
    @discardableResult
    public func cancel(
        _ key: String, removingDelivered: Bool = false
    ) async throws(BelfryKitError) -> PlanReport {
        load()
        let report = try await change([key: nil])
        if removingDelivered { await center.removeDelivered(ofKeys: { $0 == key }) }
        return report
    }

    /// Takes all reminders back, and no request of other code: for signing out.
    ///
    /// - Parameter removingDelivered: whether what they have shown goes from the list too.
    @discardableResult
    public func cancelAll(removingDelivered: Bool = false) async throws(BelfryKitError) -> PlanReport {
        load()
        let report = try await change(entries.mapValues { _ in nil })
        if removingDelivered { await center.removeDelivered(ofKeys: { _ in true }) }
        return report
    }

    // MARK: Quiet hours

    /// The hours in which reminders hold back; nil, as at first, for none.
    public var quietHours: QuietHours? { store.quietHours }

    /// Sets the hours in which reminders hold back, for all of them; nil ends them.
    ///
    /// - Throws: `storage`; nothing is changed then.
    @discardableResult
    public func setQuietHours(_ quietHours: QuietHours?) async throws(BelfryKitError) -> PlanReport {
        try store.write(quietHours)
        return await replan()
    }

    // MARK: Reading

    /// The reminders, by key.
    ///
    /// One that has ended stays for a week, so that it can be snoozed or set anew.
    public func list() -> [Reminder] {
        load()
        return sortedEntries().map(\.reminder)
    }

    /// The reminder of a key; nil when there is none.
    public func reminder(_ key: String) -> Reminder? {
        load()
        return entries[key]?.reminder
    }

    /// The next occurrences of a reminder's rule; snoozes are not among them.
    ///
    /// An occurrence's `local` is by the clocks that the schedule follows, which for instants are UTC's.
    ///
    /// - Throws: `unknownKey`.
    public func preview(_ key: String, _ countMax: Int = 10) throws(BelfryKitError) -> [Occurrence] {
        let schedule = try entry(key).compiled.schedule
        return Array(schedule.occurrences(after: time.now, in: time.zone).prefix(max(0, countMax)))
    }

    /// What all reminders together will show next, snoozes included, whether it has a slot yet or not.
    ///
    /// Quiet hours are taken into account: what they leave out is missing, and what they postpone comes later.
    public func preview(_ countMax: Int = 10) -> [UpcomingReminder] {
        load()
        return Planner.upcoming(
            compiledReminders(), countMax: countMax, after: time.now, in: time.zone, memory: store.memory,
            quietHours: store.quietHours)
    }

    /// What the last plan said; an empty report before the first one in this process.
    public var report: PlanReport { lastReport }

    // MARK: One occurrence

    /// Lets a reminder fire once more in so many seconds; its own occurrences stay as they are.
    ///
    /// - Returns: when it fires.
    /// - Throws: `unknownKey`; `invalidSchedule` unless the seconds are above 0 and at most 100 years.
    @discardableResult
    public func snooze(_ key: String, for seconds: Double) async throws(BelfryKitError) -> Instant {
        var reminder = try entry(key).reminder
        guard seconds > 0, seconds <= ReminderLimits.afterSecondsMax else {
            throw BelfryKitError(
                .invalidSchedule, "seconds", found: "\(seconds)",
                allowed: "above 0, at most \(Int(ReminderLimits.afterSecondsMax)) (100 years)")
        }
        let now = time.now
        let instant = now.advanced(byMilliseconds: Int64((seconds * 1000).rounded(.up))).roundedUpToSeconds
        let others = reminder.snoozes.filter { $0 > now && $0 != instant }
        reminder.snoozes = (others + [instant]).sorted().suffix(ReminderLimits.snoozeCountMax)
        reminder.endedSince = nil
        try await change([key: Entry(reminder)])
        return instant
    }

    /// Leaves out the next occurrence of a reminder.
    ///
    /// - Returns: what was left out; nil when nothing was to come.
    /// - Throws: `unknownKey`.
    @discardableResult
    public func skipNext(_ key: String) async throws(BelfryKitError) -> Occurrence? {
        let entry = try entry(key)
        var reminder = entry.reminder
        guard let next = entry.compiled.schedule.next(after: time.now, in: time.zone) else { return nil }
        var exclusions = reminder.schedule.exclusions
        exclusions.append(.civil(next.civil))
        reminder.schedule.exclusions = exclusions.suffix(ReminderLimits.exclusionCountMax)
        try await change([key: Entry(reminder)])
        return next
    }

    // MARK: Planning

    /// Brings the system's requests in line with the reminders, as far as the slots reach.
    @discardableResult
    public func replan() async -> PlanReport {
        wantedPlans += 1
        let wanted = wantedPlans
        while madePlans < wanted {
            if isPlanning {
                await withCheckedContinuation { waiting.append($0) }
                continue
            }
            isPlanning = true
            let covered = wantedPlans
            lastReport = await plan()
            madePlans = covered
            isPlanning = false
            let waiters = waiting
            waiting = []
            for waiter in waiters { waiter.resume() }
        }
        return lastReport
    }

    private func plan() async -> PlanReport {
        let mayNotify = await center.mayNotify
        let before = await center.pending
        load()
        let now = time.now
        var memory = store.memory
        var planner = planner
        planner.quietHours = store.quietHours
        var plan = planner.plan(
            compiledReminders(), at: now, in: time.zone, pending: before, memory: memory, mayNotify: mayNotify
        )
        let vanished = plan.vanished(since: memory, pending: before)
        if !vanished.isEmpty, memory.note(shown: vanished, in: await center.delivered) {
            load()
            plan = planner.plan(
                compiledReminders(), at: now, in: time.zone, pending: before, memory: memory,
                mayNotify: mayNotify)
        }
        let contents = entries
        var problems = store.takeProblems()
        if !plan.remove.isEmpty {
            center.removePending(plan.remove)
            // Removing is asynchronous; the answer to a question comes after it. Without room, adding drops others.
            if !plan.add.isEmpty { _ = await center.pending }
        }
        let wanted = plan.add.compactMap { planned in
            (planned.key.map { contents[$0]?.reminder.content } ?? openApp).map { (planned, $0) }
        }
        problems += await center.add(wanted, at: now)
        // That adding reported no error does not mean that the request is pending.
        let isChanged = !plan.add.isEmpty || !plan.remove.isEmpty
        let after = isChanged ? await center.pending : before
        var (report, newMemory) = plan.confirmed(by: after, at: time.now)
        if let problem = store.write(newMemory) { problems.append(problem) }
        if let problem = forgetEnded(report.ended, at: now) { problems.append(problem) }
        report.problems = problems
        return report
    }

    // MARK: Keeping

    private func entry(_ key: String) throws(BelfryKitError) -> Entry {
        load()
        guard let entry = entries[key] else {
            throw BelfryKitError(.unknownKey, "key", found: key, allowed: "a key that was set")
        }
        return entry
    }

    private func load() {
        guard let reminders = store.readIfChanged() else { return }
        entries = [:]
        sorted = nil
        for reminder in reminders {
            guard let entry = try? Entry(reminder) else { continue }
            entries[reminder.key] = entry
        }
    }

    private func sortedEntries() -> [Entry] {
        if let sorted { return sorted }
        let list = Self.sorted(entries)
        sorted = list
        return list
    }

    private static func sorted(_ entries: [String: Entry]) -> [Entry] {
        entries.values.sorted { $0.compiled.key < $1.compiled.key }
    }

    private func compiledReminders() -> [CompiledReminder] { sortedEntries().map(\.compiled) }

    /// Applies changes, nil being a removal, keeps them, and plans.
    @discardableResult
    private func change(_ changes: [String: Entry?]) async throws(BelfryKitError) -> PlanReport {
        let old = changes.map { ($0.key, entries[$0.key]) }
        try keep(changes)
        let report = await replan()
        guard whenFull == .refuse, changes.values.contains(where: { $0 != nil }),
            let left = report.leftOut.first(where: { $0.reason == .noSlot })
        else { return report }
        try keep(Dictionary(old) { first, _ in first })
        await replan()
        throw BelfryKitError(
            .tooManyReminders,
            "reminders: '\(left.key)' would have no slot; \(ReminderLimits.slotCount) are for all requests of "
                + "the app, of which other code takes \(report.foreignRequestCount)")
    }

    private func keep(_ changes: [String: Entry?]) throws(BelfryKitError) {
        var changed = entries
        for (key, entry) in changes { changed[key] = entry }
        guard changed.count <= ReminderLimits.reminderCountMax else {
            throw BelfryKitError(
                .tooManyReminders,
                "reminders: \(changed.count); allowed: \(ReminderLimits.reminderCountMax)")
        }
        if changed.count == entries.count, changes.allSatisfy({ $1?.reminder == entries[$0]?.reminder }) {
            return
        }
        let list = Self.sorted(changed)
        try store.write(list.lazy.map(\.reminder), changed: { changes[$0] != nil })
        entries = changed
        sorted = list
    }

    /// Notes which reminders have ended, and removes those that ended long ago.
    private func forgetEnded(_ ended: [String], at now: Instant) -> String? {
        var changes: [String: Entry?] = [:]
        let oldest = now.advanced(bySeconds: -ReminderLimits.endedRetentionSeconds)
        for key in ended {
            guard let entry = entries[key] else { continue }
            var reminder = entry.reminder
            if let since = reminder.endedSince {
                if since < oldest { changes[key] = .some(nil) }
            } else {
                reminder.endedSince = now
                changes[key] = Entry(reminder, entry.compiled)
            }
        }
        guard !changes.isEmpty else { return nil }
        do {
            try keep(changes)
            return nil
        } catch {
            return error.message
        }
    }
}
