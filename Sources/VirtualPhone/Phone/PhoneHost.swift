internal import Foundation
internal import Recurrence
internal import Synchronization
internal import UserNotifications

/// The phone as the notification centre of one app sees it.
final class PhoneHost: NotificationHost {
    private struct Contents {
        weak var phone: VirtualPhone?
        var state: NotificationState?
        var link: NotificationHostLink?
    }

    let app: String
    let policy: NotificationPolicy
    let attachmentDirectory: URL
    private let contents: Mutex<Contents>

    init(app: String, phone: VirtualPhone, policy: NotificationPolicy, state: NotificationState?) {
        self.app = app
        self.policy = policy
        contents = Mutex(Contents(phone: phone, state: state))
        attachmentDirectory = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-attachments-" + UUID().uuidString)
    }

    deinit {
        // It is there only when a notification had a file.
        try? FileManager.default.removeItem(at: attachmentDirectory)
    }

    private var phone: VirtualPhone? { contents.withLock { $0.phone } }
    var link: NotificationHostLink? { contents.withLock { $0.link } }
    /// What the centre saved last.
    var state: NotificationState? { contents.withLock { $0.state } }

    /// The app was deleted: its centre is heard no more.
    func disconnect() { contents.withLock { $0.phone = nil } }

    // MARK: For the centre

    var now: Instant { phone?.now ?? Instant(millisecondsSince1970: 0) }
    var zone: Zone { phone?.zone ?? .utc }
    var calendarIdentifier: Calendar.Identifier { .gregorian }
    var surroundings: NotificationSurroundings { phone?.surroundings(of: app) ?? NotificationSurroundings() }

    func localizedString(forKey key: String) -> String? { phone?.string(forKey: key, of: app) }
    func load() -> NotificationState? { state }
    func save(_ state: NotificationState) { contents.withLock { $0.state = state } }
    func start(_ link: NotificationHostLink) { contents.withLock { $0.link = link } }

    func askPermission(_ options: UNAuthorizationOptions) async -> Bool {
        await phone?.askPermission(options, for: app, link: link) ?? false
    }

    func show(
        _ notification: UNNotification, category: UNNotificationCategory?,
        presentation: NotificationPresentation
    ) {
        phone?.show(notification.record, category: category?.record, presentation: presentation, of: app)
    }

    func withdraw(_ identifiers: [String]) { phone?.withdraw(identifiers, of: app) }
    func setBadge(_ count: Int) { phone?.setBadge(count, of: app) }
    func wake(at instant: Instant?) { phone?.setWake(instant, of: app) }
    func diagnose(_ message: String) { phone?.diagnose(message, app: app) }
}
