package import Recurrence

/// What the date of a trigger depends on besides the trigger: the moment, the device's zone and calendar.
package struct TriggerContext: Sendable {
    package var now: Instant
    /// The device's zone, for triggers without one.
    package var zone: Zone
    /// The device's calendar, for triggers without one.
    package var calendar: TriggerCalendar
    package var policy: NotificationPolicy

    package init(
        now: Instant, zone: Zone, calendar: TriggerCalendar = .gregorian,
        policy: NotificationPolicy = NotificationPolicy()
    ) {
        self.now = now
        self.zone = zone
        self.calendar = calendar
        self.policy = policy
    }
}
