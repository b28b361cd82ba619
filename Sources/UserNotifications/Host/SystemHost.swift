public import Foundation
internal import Dispatch
public import Recurrence
internal import Synchronization

/// The machine that the process runs on: its clock and zone, a file for the schedule, a screen if there is one.
///
/// What is pending is kept in `notifications.json` in a directory of the app under `XDG_DATA_HOME`, and goes on after a
/// restart: a request whose completion handler was called survives the end of the process and of the machine. Without a screen nothing is shown, and one line on standard error says so. A Linux desktop has no prompt
/// and no switch for permission: asking is answered as the host was made to.
public final class SystemHost: NotificationHost {
    /// The choices that Apple leaves open.
    public let policy: NotificationPolicy
    /// Where schedule and attachments are.
    public let directory: URL

    private let presenter: (any NotificationPresenter)?
    private let grantsPermission: Bool
    private let file: StateFile
    private let log: @Sendable (String) -> Void
    private let contents = Mutex(Contents())
    private let timers = DispatchQueue(label: "belfry.notifications.timer")

    private struct Contents {
        var link: NotificationHostLink?
        var timer: (any DispatchSourceTimer)?
        var zoneName: String?
        var hasSaidUnshown = false
    }

    /// A clock that is set, a zone that changes and a machine that sleeps are noticed this soon, in seconds.
    private static let checkSeconds = 60

    /// Makes the host of this process.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: names the app's directory; by default the bundle's, else the program's name.
    ///   - directory: where to keep things instead.
    ///   - presenter: the screen; nil when there is none.
    ///   - grantsPermission: the answer to the app that asks.
    ///   - policy: the choices that Apple leaves open.
    ///   - log: takes each line for the developer; by default standard error.
    public init(
        bundleIdentifier: String? = nil, directory: URL? = nil, presenter: (any NotificationPresenter)? = nil,
        grantsPermission: Bool = true, policy: NotificationPolicy = NotificationPolicy(),
        log: (@Sendable (String) -> Void)? = nil
    ) {
        self.policy = policy
        self.presenter = presenter
        self.grantsPermission = grantsPermission
        self.directory = directory ?? Self.directory(of: bundleIdentifier ?? Self.programName)
        self.log = log ?? { Self.standardErrorLine($0) }
        file = StateFile(url: self.directory.appendingPathComponent("notifications.json"))
    }

    /// The host of `current()`: with the desktop's notification service, if there is one.
    static func ofThisProgram() -> SystemHost {
        let name = ProcessInfo.processInfo.processName
        return SystemHost(
            presenter: DesktopPresenter(
                appName: name, desktopEntry: Bundle.main.bundleIdentifier ?? name, log: standardErrorLine))
    }

    private static func standardErrorLine(_ line: String) {
        FileHandle.standardError.write(Data("notifications: \(line)\n".utf8))
    }

    deinit {
        contents.withLock { $0.timer?.cancel() }
    }

    private static var programName: String {
        Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    }

    /// The directory of an app under the XDG base directory for data.
    private static func directory(of app: String) -> URL {
        let environment = ProcessInfo.processInfo.environment
        let base =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
        // A name with slashes or dots only would lead elsewhere.
        let safe = String(app.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
        let name = safe.allSatisfy { $0 == "." } ? "app" : safe
        return base.appendingPathComponent("belfry/notifications").appendingPathComponent(name)
    }

    /// The machine's clock.
    public var now: Instant { SystemClock.now }

    /// The machine's zone.
    public var zone: Zone { SystemClock.zone }

    /// The user's calendar.
    public var calendarIdentifier: Calendar.Identifier { Calendar.current.identifier }

    /// A program on a desktop is never in the foreground in the sense of iOS: its delegate is asked all the same.
    public var surroundings: NotificationSurroundings { NotificationSurroundings(isForeground: true) }

    /// Where attachments are.
    public var attachmentDirectory: URL { directory.appendingPathComponent("attachments") }

    /// `Library/Sounds` beside the schedule, that of the user's library if there is one, then the program's resources.
    public var soundDirectories: [URL]? {
        let library = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
        return [
            directory.appendingPathComponent("Library/Sounds"), library?.appendingPathComponent("Sounds"),
            Bundle.main.resourceURL ?? Bundle.main.bundleURL,
        ].compactMap { $0 }
    }

    /// A text of the program's strings.
    public func localizedString(forKey key: String) -> String? { AppStrings.localizedString(forKey: key) }

    /// The schedule of the last run; a file that cannot be read is set aside.
    public func load() -> NotificationState? {
        switch file.load() {
        case .nothing: return nil
        case .state(let state): return state
        case .damaged(let path):
            log("the schedule cannot be read and is set aside as \(path)")
            return nil
        }
    }

    /// Writes the schedule.
    public func save(_ state: NotificationState) {
        do {
            try file.save(state)
        } catch {
            log("the schedule cannot be written to \(file.url.path): \(error)")
        }
    }

    /// Starts screen and clock.
    public func start(_ link: NotificationHostLink) {
        contents.withLock { $0.link = link }
        presenter?.start(link)
    }

    /// Answers as the host was made to.
    public func askPermission(_ options: UNAuthorizationOptions) async -> Bool { grantsPermission }

    /// Shows a notification on the screen, if there is one.
    public func show(
        _ notification: UNNotification, category: UNNotificationCategory?,
        presentation: NotificationPresentation
    ) {
        guard let presenter else {
            let isFirst = contents.withLock { contents in
                defer { contents.hasSaidUnshown = true }
                return !contents.hasSaidUnshown
            }
            if isFirst {
                log(
                    "nothing is shown: there is no notification service; the schedule is kept in \(directory.path)"
                )
            }
            return
        }
        presenter.show(notification, category: category, presentation: presentation)
    }

    /// Takes notifications off the screen.
    public func withdraw(_ identifiers: [String]) { presenter?.withdraw(identifiers) }

    /// Sets the number on the app's icon.
    public func setBadge(_ count: Int) { presenter?.setBadge(count) }

    /// Sets the timer.
    public func wake(at instant: Instant?) {
        let name = instant == nil ? nil : zone.name
        contents.withLock { contents in
            contents.timer?.cancel()
            contents.timer = nil
            contents.zoneName = name
            guard let instant else { return }
            let timer = DispatchSource.makeTimerSource(queue: timers)
            let milliseconds = min(
                max(0, instant.millisecondsSince1970 - now.millisecondsSince1970),
                Int64(Self.checkSeconds) * 1000)
            timer.schedule(
                deadline: .now() + .milliseconds(Int(milliseconds)), repeating: .seconds(Self.checkSeconds))
            timer.setEventHandler { [weak self] in self?.check(wake: instant) }
            timer.resume()
            contents.timer = timer
        }
    }

    /// The timer fired, or it is time to look whether the clock or the zone was changed.
    private func check(wake instant: Instant) {
        let name = zone.name
        let (link, isZoneNew) = contents.withLock { contents in
            defer { contents.zoneName = name }
            return (contents.link, contents.zoneName != name)
        }
        if isZoneNew { link?.zoneChanged() } else if now >= instant { link?.fireDue() }
    }

    /// Writes a line for the developer.
    public func diagnose(_ message: String) { log(message) }
}
