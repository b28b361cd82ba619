/// A button of a notification.
///
/// Sendable: the record never changes.
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: ActionRecord

    package init(record: ActionRecord) {
        self.record = record
        super.init()
    }

    /// Makes an action.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = []
    ) {
        self.init(
            record: ActionRecord(
                identifier: identifier, title: TextRecord(decoding: title), options: options.rawValue))
    }

    /// Makes an action with a picture.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?
    ) {
        self.init(
            record: ActionRecord(
                identifier: identifier, title: TextRecord(decoding: title), options: options.rawValue,
                icon: icon?.record))
    }

    /// What a response calls it; unique in the whole app.
    open var identifier: String { record.identifier }

    /// What the button says.
    open var title: String { record.title.shown(NotificationScope.localized) }

    /// How it behaves.
    open var options: UNNotificationActionOptions { UNNotificationActionOptions(rawValue: record.options) }

    /// Its picture.
    open var icon: UNNotificationActionIcon? { record.icon.map { UNNotificationActionIcon(record: $0) } }

    /// The object of a record, of the class that belongs to it.
    class func make(_ record: ActionRecord) -> UNNotificationAction {
        record.textInput == nil
            ? UNNotificationAction(record: record) : UNTextInputNotificationAction(record: record)
    }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationAction)?.record == record
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
        guard let record = RecordCoding.decode(ActionRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
