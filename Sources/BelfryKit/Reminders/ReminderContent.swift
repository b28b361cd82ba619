public import Foundation

/// What a reminder says, shows and plays.
public struct ReminderContent: Hashable, Sendable {
    /// What it is about, in a line.
    public var title: String
    /// A second line.
    public var subtitle = ""
    /// The text.
    public var body: String
    /// What is played; nil for nothing.
    public var sound: ReminderSound?
    /// The number that the icon gets; nil leaves it.
    public var badge: Int?
    /// The category, which brings the buttons.
    public var categoryIdentifier = ""
    /// The group in which it is shown.
    public var threadIdentifier = ""
    /// What the app shows when it is opened.
    public var targetContentIdentifier: String?
    /// What the app wants to know again.
    ///
    /// The key `belfry` is the library's own.
    public var userInfo: [String: PayloadValue] = [:]
    /// How much it may disturb.
    public var interruption = ReminderInterruption.active
    /// Its place in a summary, 0 to 1.
    public var relevanceScore = 0.0
    /// Files that it shows.
    ///
    /// They are copied for each request, since the system moves what it is given.
    public var attachments: [URL] = []

    /// Makes a content; set the other properties as needed.
    public init(
        title: String, body: String = "", sound: ReminderSound? = .default, badge: Int? = nil,
        categoryIdentifier: String = "", threadIdentifier: String = "",
        userInfo: [String: PayloadValue] = [:]
    ) {
        self.title = title
        self.body = body
        self.sound = sound
        self.badge = badge
        self.categoryIdentifier = categoryIdentifier
        self.threadIdentifier = threadIdentifier
        self.userInfo = userInfo
    }

    /// Refuses what the system would not show, or could not keep.
    func check() throws(BelfryKitError) {
        if title.isEmpty, subtitle.isEmpty, body.isEmpty, sound == nil, badge == nil {
            throw BelfryKitError(
                .invalidContent,
                "content: found nothing to show, play or count; allowed: at least one of them")
        }
        if let badge, badge < 0 {
            throw BelfryKitError(.invalidContent, "badge", found: "\(badge)", allowed: "0 or more")
        }
        guard userInfo[RequestUserInfo.key] == nil else {
            throw BelfryKitError(
                .invalidContent, "userInfo: found '\(RequestUserInfo.key)'; allowed: any other key")
        }
        guard userInfo.values.allSatisfy(\.isPropertyList), relevanceScore.isFinite else {
            throw BelfryKitError(
                .invalidContent, "userInfo: found null or an infinite number; allowed: other values")
        }
        guard attachments.allSatisfy(\.isFileURL) else {
            throw BelfryKitError(.invalidContent, "attachments: found a URL of no file; allowed: files")
        }
    }

    /// The same for equal contents, in every process.
    var mark: UInt64 {
        var hash = StableHash()
        for text in [title, subtitle, body, categoryIdentifier, threadIdentifier, interruption.rawValue] {
            hash.combine(text)
        }
        switch sound {
        case nil: hash.combine(nil)
        case .default: hash.combine("")
        case .named(let name): hash.combine(name)
        }
        hash.combine(badge.map(String.init))
        hash.combine(targetContentIdentifier)
        hash.combine("\(relevanceScore)")
        hash.combine(payload: .object(userInfo))
        for attachment in attachments { hash.combine(attachment.path) }
        return hash.value
    }
}
