/// The picture of an action.
///
/// Sendable: the record never changes.
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: ActionRecord.Icon

    package init(record: ActionRecord.Icon) {
        self.record = record
        super.init()
    }

    /// Makes a picture of one in the app, used as a mask.
    public convenience init(templateImageName: String) {
        self.init(record: ActionRecord.Icon(name: templateImageName, isSystemImage: false))
    }

    /// Makes a picture of one of the system's symbols.
    public convenience init(systemImageName: String) {
        self.init(record: ActionRecord.Icon(name: systemImageName, isSystemImage: true))
    }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationActionIcon)?.record == record
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
        guard let record = RecordCoding.decode(ActionRecord.Icon.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
