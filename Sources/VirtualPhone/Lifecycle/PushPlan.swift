/// What an iPhone does with a remote notification, by what is in it and where its app is.
///
/// Apple: the pages of UserNotifications and of `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
public struct PushPlan: Hashable, Sendable {
    /// What is in the payload.
    public struct Kind: Hashable, Sendable {
        /// Whether there is an alert, a sound or a badge.
        public var isVisible: Bool
        /// Whether it says `content-available`.
        public var isContentAvailable: Bool

        /// Makes a kind.
        public init(isVisible: Bool, isContentAvailable: Bool) {
            self.isVisible = isVisible
            self.isContentAvailable = isContentAvailable
        }
    }

    /// What counts about app and phone.
    public struct Situation: Hashable, Sendable {
        /// Where the app is.
        public var state: AppState
        /// Why it has no process, when it has none.
        public var lastEnd: EndReason
        /// Whether the app has the background mode `remote-notification`.
        public var hasBackgroundMode: Bool
        /// Whether the app's notification centre has a delegate.
        public var hasDelegate: Bool
        /// Whether the user lets the app work in the background.
        public var isRefreshAllowed: Bool
        /// Whether the phone saves power.
        public var isLowPower: Bool

        /// Makes a situation.
        public init(
            state: AppState, lastEnd: EndReason = .neverLaunched, hasBackgroundMode: Bool = true,
            hasDelegate: Bool = true, isRefreshAllowed: Bool = true, isLowPower: Bool = false
        ) {
            self.state = state
            self.lastEnd = lastEnd
            self.hasBackgroundMode = hasBackgroundMode
            self.hasDelegate = hasDelegate
            self.isRefreshAllowed = isRefreshAllowed
            self.isLowPower = isLowPower
        }
    }

    /// What becomes of the app.
    public enum App: Hashable, Sendable {
        /// Nothing is called.
        case untouched
        /// `didReceiveRemoteNotification` is called in the app that is in front.
        case called
        /// The app runs or is resumed in the background, and `didReceiveRemoteNotification` is called.
        case woken
        /// The app is started in the background, and `didReceiveRemoteNotification` is called.
        case launched
        /// It is kept until the app is opened; a newer one takes its place.
        case held(String)
        /// The app never hears of it.
        case dropped(String)
    }

    /// Whether the notification centre gets it: `willPresent` in front, else the system shows it.
    public var isShown: Bool
    /// What becomes of the app.
    public var app: App

    /// Decides.
    public init(_ kind: Kind, in situation: Situation) {
        isShown = kind.isVisible && situation.state != .notInstalled
        app = Self.app(kind, situation)
    }

    private static func app(_ kind: Kind, _ situation: Situation) -> App {
        guard situation.state != .notInstalled else { return .dropped("the app is not installed") }
        if situation.state.isForeground {
            // Without a delegate of the centre the app hears of visible ones in the old way.
            return kind.isContentAvailable || !situation.hasDelegate ? .called : .untouched
        }
        guard kind.isContentAvailable else {
            return kind.isVisible
                ? .untouched : .dropped("it has neither content-available nor anything to show")
        }
        guard situation.hasBackgroundMode else {
            return .dropped("the app lacks the background mode remote-notification")
        }
        if situation.state == .notRunning, situation.lastEnd == .forceQuit {
            return .dropped("the user has swiped the app away")
        }
        guard situation.isRefreshAllowed else { return .held("Background App Refresh is off") }
        guard !situation.isLowPower else { return .held("Low Power Mode is on") }
        return situation.state == .notRunning ? .launched : .woken
    }
}
