internal import Recurrence

/// A notification that was delivered.
///
/// Sendable: the record never changes.
open class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: NotificationRecord

    package init(record: NotificationRecord) {
        self.record = record
        super.init()
    }

    /// When it was due; for a remote one, when it arrived.
    open var date: Date { record.date.date }

    /// What was to be shown, and why.
    open var request: UNNotificationRequest { UNNotificationRequest(record: record.request) }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotification)?.record == record
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
        if RecordCoding.isArchive(coder) {
            guard let record = RecordCoding.decode(NotificationRecord.self, with: coder) else { return nil }
            self.record = record
        } else {
            let request = coder.decodeObject(forKey: "request") as? UNNotificationRequest
            let date = coder.decodeObject(forKey: "date") as? Date
            record = NotificationRecord(
                request: request?.record ?? RequestRecord(identifier: "", content: ContentRecord()),
                date: Instant(date ?? Date(timeIntervalSince1970: 0)))
        }
        super.init()
    }
}
