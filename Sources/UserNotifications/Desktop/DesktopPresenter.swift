internal import CSystemd
internal import Foundation
internal import Synchronization

/// The desktop's notification service as a screen: org.freedesktop.Notifications on the session bus.
///
/// One thread of its own has the bus; everything that is asked for is done there, in order. A service that is not
/// running is started by the bus at the first call, if one is installed; else up to 100 notifications wait for one. A
/// bus that is lost is looked for again, after one second at first and after a minute at most. A service that is
/// restarted has forgotten what it showed: that stays in the list of delivered notifications and off the screen.
///
/// The process has to stay alive to hear what the user does. The number on the app's icon is sent as the signal of
/// Unity's launcher, which docks of GNOME and the task bar of KDE show; others have none.
public final class DesktopPresenter: NotificationPresenter {
    private struct Contents {
        var commands: [@Sendable (DesktopWorker) -> Void] = []
        var link: NotificationHostLink?
        var isClosed = false
    }

    private let contents = Mutex(Contents())
    private let wakeUp: Int32
    private let log: @Sendable (String) -> Void

    /// How many commands can wait; more are refused with a line for the developer.
    private static let commandCountMax = 1000

    /// Connects to the session bus.
    ///
    /// - Parameters:
    ///   - appName: what the desktop calls the app.
    ///   - desktopEntry: the name of the app's `.desktop` file without the suffix.
    ///   - address: a bus, as in `DBUS_SESSION_BUS_ADDRESS`; nil for the session's.
    ///   - log: takes each line for the developer.
    /// - Returns: nil when there is no bus.
    public convenience init?(
        appName: String, desktopEntry: String, address: String? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(
            appName: appName, desktopEntry: desktopEntry, address: address,
            retry: .seconds(1) ... .seconds(60), log: log)
    }

    init?(
        appName: String, desktopEntry: String, address: String?, retry: ClosedRange<Duration>,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.log = log
        wakeUp = belfry_systemd_eventfd()
        guard wakeUp >= 0 else { return nil }
        let connection: BusConnection
        do throws(BusError) {
            connection = try BusConnection(address: address)
        } catch {
            close(wakeUp)
            return nil
        }
        // Handed over to the thread here, and not used by anyone else afterwards.
        nonisolated(unsafe) let handedOver = connection
        let descriptor = wakeUp
        let thread = Thread { [weak self] in
            let worker = DesktopWorker(
                connection: handedOver, address: address, appName: appName, desktopEntry: desktopEntry,
                wakeUp: descriptor, retry: retry)
            worker.run(
                next: { self?.next() }, deliver: { self?.deliver($0) }, log: { self?.log($0) })
            self?.contents.withLock { $0.isClosed = true }
            close(descriptor)
        }
        thread.name = "belfry.desktop"
        thread.start()
    }

    deinit {
        signal()
    }

    /// Keeps the link, which takes what the user does.
    public func start(_ link: NotificationHostLink) { contents.withLock { $0.link = link } }

    /// Shows a notification, in place of one of the same identifier.
    public func show(
        _ notification: UNNotification, category: UNNotificationCategory?,
        presentation: NotificationPresentation
    ) {
        // Sound or badge alone have no form on a desktop.
        guard presentation.showsBanner || presentation.isListed else { return }
        let (record, category) = (notification.record, category?.record)
        submit { $0.show(record, category: category, presentation: presentation) }
    }

    /// Takes notifications off the screen.
    public func withdraw(_ identifiers: [String]) { submit { $0.withdraw(identifiers) } }

    /// Sets the number at the app's icon in docks and task bars that have one.
    public func setBadge(_ count: Int) { submit { $0.setBadge(count) } }

    private func submit(_ command: @escaping @Sendable (DesktopWorker) -> Void) {
        let isTaken = contents.withLock { contents in
            guard !contents.isClosed, contents.commands.count < Self.commandCountMax else { return false }
            contents.commands.append(command)
            return true
        }
        if isTaken {
            signal()
        } else {
            log("the notification service does not answer; a notification is not shown")
        }
    }

    private func signal() {
        var one: UInt64 = 1
        // A full counter already wakes the thread.
        _ = write(wakeUp, &one, 8)
    }

    private func next() -> [@Sendable (DesktopWorker) -> Void] {
        contents.withLock { contents in
            defer { contents.commands = [] }
            return contents.commands
        }
    }

    private func deliver(_ event: DesktopLedger.Event) {
        guard let link = contents.withLock({ $0.link }) else { return }
        switch event {
        case .tap(let identifier): link.tap(identifier)
        case .dismiss(let identifier): link.dismiss(identifier)
        case .act(let identifier, let action, let text): link.act(identifier, action: action, userText: text)
        }
    }
}
