/// What the user did with a notification.
///
/// Sendable: the record never changes.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: ResponseRecord

    package init(record: ResponseRecord) {
        self.record = record
        super.init()
    }

    /// The notification.
    open var notification: UNNotification { UNNotification(record: record.notification) }

    /// The action: one of the category's, or that of a tap or of clearing.
    open var actionIdentifier: String { record.actionIdentifier }

    /// The scene that should show it: none, there are no scenes here.
    open var targetScene: NSObject? { nil }

    /// The object of a record, of the class that belongs to it.
    package static func make(_ record: ResponseRecord) -> UNNotificationResponse {
        record.userText == nil
            ? UNNotificationResponse(record: record) : UNTextInputNotificationResponse(record: record)
    }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationResponse)?.record == record
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
            guard let record = RecordCoding.decode(ResponseRecord.self, with: coder) else { return nil }
            self.record = record
        } else {
            guard let record = ResponseRecord(answering: coder, hasText: false) else { return nil }
            self.record = record
        }
        super.init()
    }
}

extension ResponseRecord {
    /// Reads the keys of Apple's class from a coder that a test made.
    init?(answering coder: NSCoder, hasText: Bool) {
        let found = coder.decodeObject(forKey: "notification") as? UNNotification
        guard let notification = found ?? UNNotification(coder: coder) else { return nil }
        self.init(
            notification: notification.record,
            actionIdentifier: coder.decodeObject(forKey: "actionIdentifier") as? String ?? "",
            userText: hasText ? coder.decodeObject(forKey: "userText") as? String ?? "" : nil,
            opensApp: true, needsUnlock: true)
    }
}
