/// A phone at a moment, for a test to look at or a page to draw.
public struct PhoneState: Hashable, Sendable, Codable {
    /// An app on the phone.
    public struct App: Hashable, Sendable, Codable {
        /// The bundle identifier.
        public var bundleIdentifier: String
        /// What stands under the icon.
        public var name: String
        /// Where it is in its life.
        public var state: AppState
        /// Why it has no process, when it has none.
        public var lastEnd: EndReason
        /// The number on its icon; 0 for none.
        public var badge: Int
        /// Its page in Settings.
        public var settings: AppSettings
        /// Whether it has registered for remote notifications.
        public var isRegistered: Bool
        /// Its device token in hexadecimal digits.
        public var token: String?
        /// How many requests wait for their time.
        public var pendingCount: Int
        /// Whether the user lets it work in the background.
        public var allowsBackgroundRefresh: Bool
    }

    /// Notifications of one app and thread.
    public struct Group: Hashable, Sendable, Codable {
        /// The app's bundle identifier.
        public var app: String
        /// The thread; empty for the app's own.
        public var threadIdentifier: String
        /// Newest first.
        public var notifications: [PhoneNotification]
    }

    /// What the phone is called.
    public var name: String
    /// The moment, in milliseconds since 1970.
    public var milliseconds: Int64
    /// What the clock shows, as `2027-03-01T09:00:00`.
    public var time: String
    /// The day of the week in English.
    public var weekday: String
    /// The time zone's name.
    public var zone: String
    /// The language.
    public var language: String
    /// Whether the clock runs with the machine's.
    public var isClockRunning: Bool
    /// Whether the phone is locked.
    public var isLocked: Bool
    /// The Focus that is on.
    public var focus: Focus?
    /// Whether the ring switch is off.
    public var isMuted: Bool
    /// Low Power Mode.
    public var isLowPower: Bool
    /// Airplane mode.
    public var isAirplane: Bool
    /// Whether the phone is linked to a gateway at all.
    public var isLinked: Bool
    /// The question on the screen.
    public var prompt: PermissionPrompt?
    /// The app in front; nil for the home screen.
    public var front: String?
    /// In the order of installation.
    public var apps: [App]
    /// The banner that is on the screen.
    public var banner: PhoneNotification?
    /// The Live Activities, which are on the lock screen above everything else: highest relevance first.
    public var liveActivities: [PhoneLiveActivity]
    /// What is on the lock screen, newest first.
    public var lockScreen: [PhoneNotification]
    /// The list, by app and thread, the group with the newest first.
    public var groups: [Group]
    /// The number of the last entry of the journal.
    public var lastEntry: Int

    /// The list without its groups, newest first.
    public var list: [PhoneNotification] { groups.flatMap(\.notifications).sorted { $0.id > $1.id } }

    /// An app by its bundle identifier.
    public func app(_ bundleIdentifier: String) -> App? {
        apps.first { $0.bundleIdentifier == bundleIdentifier }
    }
}
