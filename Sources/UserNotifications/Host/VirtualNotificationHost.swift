public import Foundation
public import Recurrence
internal import Synchronization

/// A device in memory, whose clock stands until it is moved: for tests.
///
///     let device = VirtualNotificationHost(now: start, zone: zone)
///     let center = UNUserNotificationCenter(host: device)
///     …
///     await device.advance(bySeconds: 86_400)
///     #expect(device.shown.count == 1)
public final class VirtualNotificationHost: NotificationHost {
    /// A notification that appeared.
    public struct Shown: Sendable {
        /// The notification.
        public let notification: UNNotification
        /// Its category, when it has one that is registered.
        public let category: UNNotificationCategory?
        /// How it appeared.
        public let presentation: NotificationPresentation
    }

    private struct Contents {
        var now: Instant
        var zone: Zone
        var calendarIdentifier = Calendar.Identifier.gregorian
        var policy: NotificationPolicy
        var surroundings = NotificationSurroundings()
        var strings: [String: String] = [:]
        var isPermissionGranted = true
        var state: NotificationState?
        var link: NotificationHostLink?
        var wake: Instant?
        var shown: [Shown] = []
        var withdrawn: [String] = []
        var badge = 0
        var diagnoses: [String] = []
        var questionCount = 0
        var soundDirectories: [URL]?
    }

    private let contents: Mutex<Contents>

    /// Where attachments are: a directory of its own, deleted with the host.
    public let attachmentDirectory: URL

    /// Makes a device.
    ///
    /// - Parameter state: what another host saved before a "restart".
    public init(
        now: Instant, zone: Zone, policy: NotificationPolicy = NotificationPolicy(),
        state: NotificationState? = nil
    ) {
        contents = Mutex(Contents(now: now, zone: zone, policy: policy, state: state))
        attachmentDirectory = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-attachments-" + UUID().uuidString)
    }

    deinit {
        try? FileManager.default.removeItem(at: attachmentDirectory)
    }

    // MARK: For the test

    /// The moment; move it with `advance`.
    public var now: Instant { contents.withLock { $0.now } }

    /// The device's zone; after a change pending triggers without a zone move.
    public var zone: Zone {
        get { contents.withLock { $0.zone } }
        set {
            let link = contents.withLock { contents in
                contents.zone = newValue
                return contents.link
            }
            link?.zoneChanged()
        }
    }

    /// The calendar of triggers that name none.
    public var calendarIdentifier: Calendar.Identifier {
        get { contents.withLock { $0.calendarIdentifier } }
        set { contents.withLock { $0.calendarIdentifier = newValue } }
    }

    /// The choices that Apple leaves open.
    public var policy: NotificationPolicy {
        get { contents.withLock { $0.policy } }
        set { contents.withLock { $0.policy = newValue } }
    }

    /// What app and device are doing.
    public var surroundings: NotificationSurroundings {
        get { contents.withLock { $0.surroundings } }
        set { contents.withLock { $0.surroundings = newValue } }
    }

    /// The app's strings in the language of the moment.
    public var strings: [String: String] {
        get { contents.withLock { $0.strings } }
        set { contents.withLock { $0.strings = newValue } }
    }

    /// Where the app's sound files are; nil, as at first, when names of sounds are not looked up.
    public var soundDirectories: [URL]? {
        get { contents.withLock { $0.soundDirectories } }
        set { contents.withLock { $0.soundDirectories = newValue } }
    }

    /// The answer that the user gives to the question for permission.
    public var isPermissionGranted: Bool {
        get { contents.withLock { $0.isPermissionGranted } }
        set { contents.withLock { $0.isPermissionGranted = newValue } }
    }

    /// How often the user was asked.
    public var questionCount: Int { contents.withLock { $0.questionCount } }

    /// What appeared, oldest first.
    public var shown: [Shown] { contents.withLock { $0.shown } }

    /// Identifiers of what was taken off the screen, oldest first.
    public var withdrawn: [String] { contents.withLock { $0.withdrawn } }

    /// The number on the app's icon.
    public var badge: Int { contents.withLock { $0.badge } }

    /// What the app's developer was told.
    public var diagnoses: [String] { contents.withLock { $0.diagnoses } }

    /// What was saved last, to start another host with.
    public var state: NotificationState? { contents.withLock { $0.state } }

    /// What the centre listens to; nil before a centre is made.
    public var link: NotificationHostLink? { contents.withLock { $0.link } }

    /// Moves the clock to a moment; everything due until then is delivered at its time, the app's answers included.
    public func advance(to target: Instant) async {
        await link?.settle()
        while let wake = contents.withLock({ $0.wake }), wake <= target {
            contents.withLock { $0.now = max($0.now, wake) }
            link?.fireDueAndWait()
            await link?.settle()
        }
        contents.withLock { $0.now = max($0.now, target) }
    }

    /// Moves the clock by seconds.
    public func advance(bySeconds seconds: Int64) async {
        await advance(to: now.advanced(bySeconds: seconds))
    }

    // MARK: For the centre

    /// A text of `strings`.
    public func localizedString(forKey key: String) -> String? { strings[key] }

    /// What the host was made with.
    public func load() -> NotificationState? { state }

    /// Keeps a state in memory.
    public func save(_ state: NotificationState) { contents.withLock { $0.state = state } }

    /// Keeps the link.
    public func start(_ link: NotificationHostLink) { contents.withLock { $0.link = link } }

    /// Gives the user's answer.
    public func askPermission(_ options: UNAuthorizationOptions) async -> Bool {
        contents.withLock { contents in
            contents.questionCount += 1
            return contents.isPermissionGranted
        }
    }

    /// Notes what appeared.
    public func show(
        _ notification: UNNotification, category: UNNotificationCategory?,
        presentation: NotificationPresentation
    ) {
        contents.withLock {
            $0.shown.append(
                Shown(notification: notification, category: category, presentation: presentation))
        }
    }

    /// Notes what went.
    public func withdraw(_ identifiers: [String]) { contents.withLock { $0.withdrawn += identifiers } }

    /// Keeps the number.
    public func setBadge(_ count: Int) { contents.withLock { $0.badge = count } }

    /// Keeps when `advance` stops next.
    public func wake(at instant: Instant?) { contents.withLock { $0.wake = instant } }

    /// Keeps the line.
    public func diagnose(_ message: String) { contents.withLock { $0.diagnoses.append(message) } }
}
