/// A trigger that fires when calendar and clock show given values.
///
/// Sendable: adds nothing to its superclass.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// Makes a trigger; only the values that are set have to match.
    ///
    /// Without a time zone it means the device's, whatever that is when the time comes.
    public convenience init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.init(record: .calendar(CalendarMatch(dateComponents), repeats: repeats))
    }

    /// The values that have to match.
    open var dateComponents: DateComponents {
        if case .calendar(let match, _) = record { match.dateComponents } else { DateComponents() }
    }

    /// When it fires next; nil when it never does.
    open func nextTriggerDate() -> Date? {
        let context = NotificationScope.context
        return record.next(after: context.now, added: context.now, in: context)?.date
    }
}
