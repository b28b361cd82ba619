package import Recurrence

/// What to show and when.
///
/// Sendable: the record never changes, and the date of adding only while the object is made.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: RequestRecord

    package init(record: RequestRecord) {
        self.record = record
        super.init()
    }

    /// Makes a request; the content is copied, so that changing it later changes nothing here.
    ///
    /// - Parameter trigger: nil for at once.
    public convenience init(
        identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
    ) {
        self.init(
            record: RequestRecord(identifier: identifier, content: content.record, trigger: trigger?.record))
    }

    /// What the app calls it; a new request takes the place of an old one of the same name.
    open var identifier: String { record.identifier }

    /// What is shown, a copy.
    open var content: UNNotificationContent { UNNotificationContent(record: record.content) }

    /// What makes it appear.
    open var trigger: UNNotificationTrigger? {
        record.trigger.map { UNNotificationTrigger.make($0, added: added) }
    }

    /// When it was added, for one that is pending.
    package private(set) var added: Instant?

    /// Makes the request of a pending record.
    convenience init(pending: PendingRecord) {
        self.init(record: pending.request)
        added = pending.added
    }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationRequest)?.record == record
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
        guard let record = RecordCoding.decode(RequestRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
