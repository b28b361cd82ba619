/// What a notification says, shows and plays: the value behind a content object.
package struct ContentRecord: Hashable, Sendable, Codable {
    package var title = TextRecord()
    package var subtitle = TextRecord()
    package var body = TextRecord()
    /// How parts of the body look; nil for a plain one.
    package var bodyStyles: [TextStyle]?
    package var badge: Int?
    package var sound: SoundRecord?
    package var launchImageName = ""
    package var userInfo: [String: PropertyValue] = [:]
    package var attachments: [AttachmentRecord] = []
    package var categoryIdentifier = ""
    package var threadIdentifier = ""
    package var targetContentIdentifier: String?
    package var summaryArgument = ""
    package var summaryArgumentCount = 0
    /// The raw value of `UNNotificationInterruptionLevel`.
    package var interruptionLevel = 1
    package var relevanceScore = 0.0
    package var filterCriteria: String?

    package init() {}

    /// Whether there is anything to read.
    package var hasText: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }

    /// Whether showing it would do anything at all.
    package var hasEffect: Bool { hasText || badge != nil || sound != nil || !attachments.isEmpty }
}
