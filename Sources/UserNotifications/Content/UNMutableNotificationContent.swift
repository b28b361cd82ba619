/// What a notification says, shows and plays, to be filled in.
open class UNMutableNotificationContent: UNNotificationContent {
    /// What it is about, in a line.
    open override var title: String {
        get { super.title }
        set { record.title = TextRecord(decoding: newValue) }
    }

    /// A second line.
    open override var subtitle: String {
        get { super.subtitle }
        set { record.subtitle = TextRecord(decoding: newValue) }
    }

    /// The text.
    open override var body: String {
        get { super.body }
        set {
            record.body = TextRecord(decoding: newValue)
            record.bodyStyles = nil
        }
    }

    /// The number that the icon gets; 0 removes it, nil leaves it.
    open override var badge: NSNumber? {
        get { super.badge }
        set { record.badge = newValue?.intValue }
    }

    /// What is played; nil for nothing.
    open override var sound: UNNotificationSound? {
        get { super.sound }
        set { record.sound = newValue?.record }
    }

    /// The picture or storyboard that is shown while the app starts.
    open override var launchImageName: String {
        get { super.launchImageName }
        set { record.launchImageName = newValue }
    }

    /// What the app wants to know again; for a remote notification its whole payload.
    open override var userInfo: [AnyHashable: Any] {
        get { super.userInfo }
        set { setUserInfo(newValue) }
    }

    /// Files that it shows.
    open override var attachments: [UNNotificationAttachment] {
        get { super.attachments }
        set { record.attachments = newValue.map(\.record) }
    }

    /// The category, which brings the buttons.
    open override var categoryIdentifier: String {
        get { super.categoryIdentifier }
        set { record.categoryIdentifier = newValue }
    }

    /// The group in which it is shown.
    open override var threadIdentifier: String {
        get { super.threadIdentifier }
        set { record.threadIdentifier = newValue }
    }

    /// What the app shows when it is opened.
    open override var targetContentIdentifier: String? {
        get { super.targetContentIdentifier }
        set { record.targetContentIdentifier = newValue }
    }

    /// What the group's summary says; not shown since iOS 15.
    open override var summaryArgument: String {
        get { super.summaryArgument }
        set { record.summaryArgument = newValue }
    }

    /// How many it counts for in the group's summary; not shown since iOS 15.
    open override var summaryArgumentCount: Int {
        get { super.summaryArgumentCount }
        set { record.summaryArgumentCount = newValue }
    }

    /// How much it may disturb.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { super.interruptionLevel }
        set { record.interruptionLevel = Int(newValue.rawValue) }
    }

    /// Its place in a summary, 0 to 1.
    open override var relevanceScore: Double {
        get { super.relevanceScore }
        set { record.relevanceScore = newValue.isFinite ? newValue : 0 }
    }

    /// What a Focus filter of the app compares.
    open override var filterCriteria: String? {
        get { super.filterCriteria }
        set { record.filterCriteria = newValue }
    }

    private func setUserInfo(_ dictionary: [AnyHashable: Any]) {
        guard let members = PropertyValue.members(of: dictionary) else {
            NotificationScope.misuse(
                "userInfo: found something else than text keys with texts, numbers, dates, data, lists and "
                    + "dictionaries of them")
            return
        }
        record.userInfo = members
    }
}
