public import Foundation
public import Recurrence

/// What stands behind a notification centre: the device's clock, zone, storage, prompt and screen.
///
/// Functions are called on a queue of the centre, one after another, unless they say otherwise. Properties are read on
/// any thread.
public protocol NotificationHost: AnyObject, Sendable {
    /// The moment.
    var now: Instant { get }
    /// The device's time zone.
    var zone: Zone { get }
    /// The calendar of triggers that name none.
    var calendarIdentifier: Calendar.Identifier { get }
    /// The choices that Apple leaves open.
    var policy: NotificationPolicy { get }
    /// What app and device are doing.
    var surroundings: NotificationSurroundings { get }
    /// Where the files of notifications are kept; the centre makes and empties it.
    var attachmentDirectory: URL { get }
    /// Where the app's sound files are, the first that has one counts; nil when names of sounds are not looked up.
    var soundDirectories: [URL]? { get }

    /// A text of the app's strings; nil when they lack the key. Called on any thread.
    func localizedString(forKey key: String) -> String?
    /// What was saved; nil when nothing was. Called once, before anything else, on the thread that makes the centre.
    func load() -> NotificationState?
    /// Keeps a state, so that `load` gives it after a restart.
    ///
    /// It is called after events that were asked for together, and before their completion handlers: when it returns,
    /// the state is as safe as the host promises.
    func save(_ state: NotificationState)
    /// A centre begins to work on this host. Called once.
    func start(_ link: NotificationHostLink)
    /// Asks the user for permission. Called outside the centre's queue, one question at a time.
    func askPermission(_ options: UNAuthorizationOptions) async -> Bool
    /// Shows a notification, in place of one of the same identifier.
    ///
    /// - Parameter category: its registered category; nil when it has none.
    func show(
        _ notification: UNNotification, category: UNNotificationCategory?,
        presentation: NotificationPresentation)
    /// Takes notifications off the screen and out of the list.
    func withdraw(_ identifiers: [String])
    /// Sets the number on the app's icon; 0 removes it.
    func setBadge(_ count: Int)
    /// When the centre next wants `NotificationHostLink.fireDue`; nil for not at all. Takes the place of the last one.
    func wake(at instant: Instant?)
    /// Something that the app's developer should know.
    func diagnose(_ message: String)
}

extension NotificationHost {
    /// Names of sounds are not looked up.
    public var soundDirectories: [URL]? { nil }
}
