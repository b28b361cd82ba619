internal import Recurrence

/// A reminder as the planner takes it: everything worked out that does not depend on the moment.
///
/// On the heap: thousands of them are sorted and handed around, and none of them changes.
final class CompiledReminder: Sendable {
    let key: String
    let schedule: Schedule
    let snoozes: [Instant]
    let ignoresQuietHours: Bool
    /// A hash of the content.
    let contentMark: UInt64
    /// The repeating triggers of the rule alone, whatever its bounds are; nil when there are none.
    let repeating: [RepeatingTrigger]?

    /// - Parameter schedule: the compiled schedule, where it is at hand.
    /// - Throws: `invalidSchedule`, for a schedule that was never resolved.
    init(_ reminder: Reminder, schedule: Schedule? = nil) throws(BelfryKitError) {
        let schedule = if let schedule { schedule } else { try reminder.schedule.compiled() }
        key = reminder.key
        self.schedule = schedule
        snoozes = reminder.snoozes
        ignoresQuietHours = reminder.schedule.ignoresQuietHours
        contentMark = reminder.content.mark
        var repeating: [RepeatingTrigger]?
        if reminder.schedule.end == nil, reminder.schedule.count == nil, let rule = reminder.schedule.rule,
            schedule.gapPolicy == .shiftForward,
            schedule.foldPolicy == .first
                || schedule.zonePolicy == .instant
        {
            repeating = RepeatingForm.triggers(
                of: rule, start: schedule.start, countMax: ReminderLimits.slotCount)
        }
        self.repeating = repeating
    }

    var isFloating: Bool { schedule.zonePolicy == .floating }

    /// The zone whose clocks it follows.
    func clock(_ zone: Zone) -> Zone {
        switch schedule.zonePolicy {
        case .floating: zone
        case .fixed(let fixed): fixed
        case .instant: .utc
        }
    }
}
