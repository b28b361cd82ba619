public import UserNotifications

/// What Apple leaves open about a phone, and figures of the simulation.
public struct PhonePolicy: Sendable {
    /// What is left of the user's decision when an app is deleted.
    public enum DecisionAfterUninstall: String, CaseIterable, Hashable, Sendable {
        /// The default: it counts again when the app is back within a day, as developers report.
        case keptForADay = "kept-for-a-day"
        /// It is kept for ever, as on a simulator.
        case kept
        /// The app has to ask again.
        case forgotten
    }

    /// What a tap does that brings an app to the front whose push had `content-available`.
    public enum FetchOnTap: String, CaseIterable, Hashable, Sendable {
        /// The default: `didReceiveRemoteNotification` was called when the push came, and is not called again.
        case once
        /// It is called again, as developers report for some versions.
        case again
    }

    /// The choices of each app's notification centre.
    public var notifications = NotificationPolicy()
    /// What is left of the user's decision when an app is deleted.
    public var decisionAfterUninstall = DecisionAfterUninstall.keptForADay
    /// Whether the fetch handler is called again on a tap.
    public var fetchOnTap = FetchOnTap.once
    /// How long an app may work on a push or a refresh in the background, in milliseconds (Apple: 30 s).
    public var workMilliseconds: Int64 = 30_000
    /// How long an app runs on after it has left the front, in milliseconds (Apple: about 5 s).
    public var graceMilliseconds: Int64 = 5_000
    /// How many Live Activity pushes of priority 10 an app may have in an hour.
    ///
    /// Apple says that there is a budget, and gives no figure.
    public var liveActivityBudget = 60
    /// The same for an app with `NSSupportsLiveActivitiesFrequentUpdates`.
    public var liveActivityFrequentBudget = 600
    /// After how many VoIP pushes in a row without a reported call an app gets no more of them (Apple: "repeatedly").
    public var missedCallCountMax = 3
    /// How long, by the machine's clock, the phone waits for an app that keeps a completion handler without calling it.
    ///
    /// Afterwards the phone's clock decides. Nothing waits for a handler that was thrown away.
    public var patience = Duration.seconds(10)

    /// Makes the defaults; misuse of the notification centre is written into the journal, and does not end the process.
    public init() {
        notifications.misuse = .record
    }
}
