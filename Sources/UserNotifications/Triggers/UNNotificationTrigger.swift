internal import Recurrence

/// What makes a notification appear: the superclass of all triggers.
///
/// Sendable: the record never changes.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: TriggerRecord

    package init(record: TriggerRecord) {
        self.record = record
        super.init()
    }

    /// Whether it appears again and again.
    open var repeats: Bool { record.repeats }

    /// The object of a record, of the class that belongs to it.
    static func make(_ record: TriggerRecord, added: Instant? = nil) -> UNNotificationTrigger {
        switch record {
        case .push: UNPushNotificationTrigger(record: record)
        case .interval:
            UNTimeIntervalNotificationTrigger(record: record, added: added)
        case .calendar: UNCalendarNotificationTrigger(record: record)
        case .location: UNLocationNotificationTrigger(record: record)
        }
    }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationTrigger)?.record == record
    }

    /// A number that equal objects share.
    open override var hash: Int { record.hashValue }

    /// The object itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Archiving is secure.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the object into an archive.
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }

    /// Reads an object of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        guard let record = RecordCoding.decode(TriggerRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
