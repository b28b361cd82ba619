/// A kind of notification with its buttons.
///
/// Sendable: the record never changes.
open class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: CategoryRecord

    package init(record: CategoryRecord) {
        self.record = record
        super.init()
    }

    /// Makes a category.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: options)
    }

    /// Makes a category that says something where previews are hidden.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, categorySummaryFormat: nil,
            options: options)
    }

    /// Makes a category that says something where previews are hidden or notifications are grouped.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            record: CategoryRecord(
                identifier: identifier, actions: actions.map(\.record), intentIdentifiers: intentIdentifiers,
                hiddenPreviewsBodyPlaceholder: TextRecord(decoding: hiddenPreviewsBodyPlaceholder ?? ""),
                categorySummaryFormat: TextRecord(decoding: categorySummaryFormat ?? ""),
                options: options.rawValue))
    }

    /// What `categoryIdentifier` of a content refers to.
    open var identifier: String { record.identifier }

    /// Its buttons.
    open var actions: [UNNotificationAction] { record.actions.map { UNNotificationAction.make($0) } }

    /// Intents that belong to it.
    open var intentIdentifiers: [String] { record.intentIdentifiers }

    /// How its notifications behave.
    open var options: UNNotificationCategoryOptions {
        UNNotificationCategoryOptions(rawValue: record.options)
    }

    /// What takes the place of the text where previews are hidden.
    open var hiddenPreviewsBodyPlaceholder: String {
        record.hiddenPreviewsBodyPlaceholder.shown(NotificationScope.localized)
    }

    /// What says how many more there are; not shown since iOS 15.
    open var categorySummaryFormat: String {
        record.categorySummaryFormat.shown(NotificationScope.localized)
    }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationCategory)?.record == record
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
        guard let record = RecordCoding.decode(CategoryRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
