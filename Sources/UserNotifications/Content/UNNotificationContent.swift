/// What a notification says, shows and plays, for reading.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    package var record: ContentRecord

    /// Makes an empty content.
    public override init() {
        record = ContentRecord()
        super.init()
    }

    package init(record: ContentRecord) {
        self.record = record
        super.init()
    }

    /// What it is about, in a line.
    open var title: String { record.title.shown(NotificationScope.localized) }

    /// A second line.
    open var subtitle: String { record.subtitle.shown(NotificationScope.localized) }

    /// The text.
    open var body: String { record.body.shown(NotificationScope.localized) }

    /// The number that the icon gets; 0 removes it, nil leaves it.
    open var badge: NSNumber? { record.badge.map { NSNumber(value: $0) } }

    /// What is played; nil for nothing.
    open var sound: UNNotificationSound? { record.sound.map { UNNotificationSound(record: $0) } }

    /// The picture or storyboard that is shown while the app starts.
    open var launchImageName: String { record.launchImageName }

    /// What the app wants to know again; for a remote notification its whole payload.
    open var userInfo: [AnyHashable: Any] { record.userInfo.mapValues(\.value) }

    /// Files that it shows.
    open var attachments: [UNNotificationAttachment] {
        record.attachments.map { UNNotificationAttachment(record: $0) }
    }

    /// The category, which brings the buttons.
    open var categoryIdentifier: String { record.categoryIdentifier }

    /// The group in which it is shown.
    open var threadIdentifier: String { record.threadIdentifier }

    /// What the app shows when it is opened.
    open var targetContentIdentifier: String? { record.targetContentIdentifier }

    /// What the group's summary says; not shown since iOS 15.
    open var summaryArgument: String { record.summaryArgument }

    /// How many it counts for in the group's summary; not shown since iOS 15.
    open var summaryArgumentCount: Int { record.summaryArgumentCount }

    /// How much it may disturb.
    open var interruptionLevel: UNNotificationInterruptionLevel {
        UNNotificationInterruptionLevel(rawValue: UInt(max(0, record.interruptionLevel))) ?? .active
    }

    /// Its place in a summary, 0 to 1.
    open var relevanceScore: Double { record.relevanceScore }

    /// What a Focus filter of the app compares.
    open var filterCriteria: String? { record.filterCriteria }

    /// Whether another content says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationContent)?.record == record
    }

    /// A number that equal contents share.
    open override var hash: Int { record.hashValue }

    /// A content with the same values that nothing can change.
    open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(record: record) }

    /// A content with the same values, to change.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(record: record) }

    /// Archiving is secure.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the content into an archive.
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }

    /// Reads a content of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        guard let record = RecordCoding.decode(ContentRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }

    /// A content with what another object adds, such as styled text of a message.
    ///
    /// Emphasis, underlines and links stay; a desktop shows them if its notification service can.
    /// - Throws: `contentProvidingObjectNotAllowed` for objects that the framework does not know.
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        guard let known = provider as? UNNotificationAttributedMessageContext else {
            throw UNError(.contentProvidingObjectNotAllowed)
        }
        guard known.attributedContent.length > 0 else { throw UNError(.contentProvidingInvalid) }
        var record = record
        record.body = TextRecord(known.attributedContent.string)
        let styles = TextStyle.styles(of: known.attributedContent)
        record.bodyStyles = styles.isEmpty ? nil : styles
        return UNNotificationContent(record: record)
    }
}
