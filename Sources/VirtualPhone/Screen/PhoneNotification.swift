/// A notification as the user sees it.
public struct PhoneNotification: Hashable, Sendable, Codable {
    /// A button.
    public struct Action: Hashable, Sendable, Codable {
        /// What the app calls it.
        public var identifier: String
        /// What stands on it.
        public var title: String
        /// Whether it is red.
        public var isDestructive: Bool
        /// Whether it opens the app.
        public var isForeground: Bool
        /// Whether the phone has to be unlocked for it.
        public var isAuthenticationRequired: Bool
        /// What stands in the empty field, for an action that asks for a text.
        public var placeholder: String?
        /// What stands on the button that sends the text.
        public var buttonTitle: String?
    }

    /// Counts what appeared on the phone, from 1.
    public var id: Int
    /// The app's bundle identifier.
    public var app: String
    /// The app's name.
    public var appName: String
    /// The identifier of its request; a new one takes the place of an old one of the same.
    public var identifier: String
    /// The first line.
    public var title: String
    /// The second line.
    public var subtitle: String
    /// The text; on a locked phone that hides previews, what stands in its place.
    public var body: String
    /// The group; empty for the app's own.
    public var threadIdentifier: String
    /// The category; empty for none.
    public var categoryIdentifier: String
    /// The category's buttons; none when it is not registered.
    public var actions: [Action]
    /// When it was due, or arrived, in milliseconds since 1970.
    public var milliseconds: Int64
    /// Whether it came from outside.
    public var isRemote: Bool
    /// How many files it shows.
    public var attachmentCount: Int
    /// Whether texts are hidden.
    public var isPreviewHidden: Bool
    /// Whether it is in the list.
    public var isListed: Bool
    /// Whether it is on the lock screen.
    public var isOnLockScreen: Bool
    /// Whether a banner shows it now.
    public var isBanner: Bool
    /// Whether the buttons Keep and Turn Off are below it.
    public var asksToKeep: Bool
}
