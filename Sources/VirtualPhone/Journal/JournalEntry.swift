public import Recurrence

/// One thing that happened on a phone.
public struct JournalEntry: Hashable, Sendable, Codable, CustomStringConvertible {
    /// What kind of thing; the raw value stands in JSON.
    public enum Event: String, CaseIterable, Hashable, Sendable, Codable {
        // The app.
        case installed, uninstalled, launched, called, active, inactive, background, suspended, terminated
        case crashed, registered, unregistered, fetched, refreshed
        case forceQuit = "force-quit"
        case registrationFailed = "registration-failed"
        case fetchExpired = "fetch-expired"
        // Pushes.
        case received, held, dropped
        case extensionStarted = "extension-started"
        case extensionFinished = "extension-finished"
        case extensionExpired = "extension-expired"
        // The screen.
        case banner, listed, sound, badge, withdrawn, silent
        case bannerGone = "banner-gone"
        case lockScreen = "lock-screen"
        case lit = "screen-lit"
        case activityStarted = "activity-started"
        case activityUpdated = "activity-updated"
        case activityStale = "activity-stale"
        case activityEnded = "activity-ended"
        case activityGone = "activity-gone"
        case call = "incoming-call"
        // The user.
        case opened, left, tapped, acted, dismissed, cleared, asked, allowed, denied, kept
        case turnedOff = "turned-off"
        case settings, url
        case settingsOpened = "settings-opened"
        // The phone.
        case locked, unlocked, zone, language, focus, muted, lowPower, online, offline, rebooted, restored
        case clock
        // For the developer.
        case diagnosis
    }

    /// Counts the entries of a phone, from 1.
    public var number: Int
    /// When, in milliseconds since 1970.
    public var milliseconds: Int64
    /// What the phone's clock showed, as `2027-03-01T09:00:00`.
    public var time: String
    /// What.
    public var event: Event
    /// The bundle identifier of the app it is about.
    public var app: String?
    /// The number of the notification it is about.
    public var notification: Int?
    /// The rest, for a reader.
    public var text: String

    /// When.
    public var instant: Instant { Instant(millisecondsSince1970: milliseconds) }

    /// A line of a log.
    public var description: String {
        let subject = (app.map { " " + $0 } ?? "") + (notification.map { " #\($0)" } ?? "")
        return "\(time) \(event.rawValue)\(subject)\(text.isEmpty ? "" : ": " + text)"
    }
}
