/// What the user did with a notification.
///
/// Sendable: the record never changes.
public class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: ResponseRecord

    package init(record: ResponseRecord) {
        self.record = record
        super.init()
    }

    /// The notification.
    public var notification: UNNotification { UNNotification(record: record.notification) }

    /// The action: one of the category's, or that of a tap or of clearing.
    public var actionIdentifier: String { record.actionIdentifier }

    /// The scene that should show it: none, there are no scenes here.
    public var targetScene: NSObject? { nil }

    /// The object of a record, of the class that belongs to it.
    package static func make(_ record: ResponseRecord) -> UNNotificationResponse {
        record.userText == nil
            ? UNNotificationResponse(record: record) : UNTextInputNotificationResponse(record: record)
    }

    /// Whether another object says the same.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationResponse)?.record == record
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
        guard let record = RecordCoding.decode(ResponseRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
