internal import Recurrence

/// Decides which requests shall be pending: reminders, moment and zone in; what to add and to remove out.
///
///     reminders ─▶ next occurrence of each ─▶ a slot each, soonest first ─▶ repeating triggers where they fit
///               ─▶ the other slots, soonest first ─▶ difference to what is pending
///
/// It is pure: the same input gives the same plan, and a plan that was carried out gives an empty one.
struct Planner: Sendable {
    /// How many requests may be pending, other code's included.
    var slotCount = ReminderLimits.slotCount
    /// A hash of the content that asks to open the app; nil for no such request.
    var openAppMark: UInt64?

    /// When reminders hold back; nil for never.
    var quietHours: QuietHours?

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - reminders: in an order that decides between equal times.
    ///   - pending: every request of the app.
    ///   - memory: of the plan before.
    ///   - mayNotify: whether requests would be kept.
    func plan(
        _ reminders: [CompiledReminder], at now: Instant, in zone: Zone, pending: [PendingRequest],
        memory: PlanMemory = PlanMemory(), mayNotify: Bool = true
    ) -> Plan {
        var work = PlanningWork(
            reminders, at: now, in: zone, pending: pending, memory: memory, quietHours: quietHours)
        guard mayNotify else { return work.planNothing() }
        let slots = max(0, slotCount - work.takenSlotCount)
        work.allocate(slots: slots)
        if let openAppMark, let missing = work.firstMissing, slots > 0 {
            // The last slot says what would be missed, at the moment at which it is missed first.
            var shorter = work
            shorter.allocate(slots: slots - 1)
            let instant = min(missing, shorter.firstMissing ?? missing)
            work = shorter
            work.plan.openApp = PlannedRequest(
                identifier: RequestIdentifier.openApp, key: nil, trigger: .instant(instant), instant: instant,
                contentMark: openAppMark)
        }
        return work.finish()
    }
}
