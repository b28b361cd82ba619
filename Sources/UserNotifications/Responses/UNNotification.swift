/// A notification that was delivered.
///
/// Sendable: the record never changes.
public class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: NotificationRecord

    package init(record: NotificationRecord) {
        self.record = record
        super.init()
    }

    /// When it was due; for a remote one, when it arrived.
    public var date: Date { record.date.date }

    /// What was to be shown, and why.
    public var request: UNNotificationRequest { UNNotificationRequest(record: record.request) }

    /// Whether another object says the same.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotification)?.record == record
    }

    /// A number that equal objects share.
    public override var hash: Int { record.hashValue }

    /// The object itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Archiving is secure.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the object into an archive.
    public func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }

    /// Reads an object of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        guard let record = RecordCoding.decode(NotificationRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
