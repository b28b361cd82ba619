internal import Foundation

/// What the desktop presenter's thread has: the connection and the ledger.
final class DesktopWorker {
    private let connection: BusConnection
    private let capabilities: Set<String>
    private let appName: String
    private let desktopEntry: String
    private let wakeUp: Int32
    private var ledger = DesktopLedger()
    private var log: (String) -> Void = { _ in }

    /// The thread looks after the bus this often even if nothing happens, in milliseconds.
    private static let pollMilliseconds: Int32 = 60_000

    init(
        connection: BusConnection, capabilities: Set<String>, appName: String, desktopEntry: String,
        wakeUp: Int32
    ) {
        self.connection = connection
        self.capabilities = capabilities
        self.appName = appName
        self.desktopEntry = desktopEntry
        self.wakeUp = wakeUp
    }

    /// Works until there is nobody to work for, or the bus is lost.
    ///
    /// - Parameters:
    ///   - next: takes what is to be done; nil when the presenter is gone.
    ///   - deliver: takes what the user did.
    func run(
        next: () -> [@Sendable (DesktopWorker) -> Void]?, deliver: @escaping (DesktopLedger.Event) -> Void,
        log: @escaping (String) -> Void
    ) {
        self.log = log
        connection.receive = { [unowned self] signal in
            if let event = event(of: signal) { deliver(event) }
        }
        do throws(BusError) {
            while let commands = next() {
                for command in commands { command(self) }
                while try connection.process() {}
                wait()
            }
        } catch {
            log("the session bus is lost: \(error)")
        }
        connection.receive = nil
    }

    private func wait() {
        var descriptors = [
            pollfd(fd: connection.descriptor, events: connection.events, revents: 0),
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, Self.pollMilliseconds)
        var count: UInt64 = 0
        // The descriptor does not block; it only has to be emptied.
        _ = read(wakeUp, &count, 8)
    }

    private func event(of signal: BusSignal) -> DesktopLedger.Event? {
        switch signal {
        case .action(let number, let key): return ledger.invoked(number: number, key: key)
        case .reply(let number, let text):
            return ledger.invoked(number: number, key: DesktopNotification.inlineReplyKey, text: text)
        case .closed(let number, let reason): return ledger.closed(number: number, reason: reason)
        case .restarted:
            ledger.serviceRestarted()
            return nil
        }
    }

    func show(
        _ notification: NotificationRecord, category: CategoryRecord?, presentation: NotificationPresentation
    ) {
        let message = DesktopNotification(
            notification, category: category, presentation: presentation, appName: appName,
            desktopEntry: desktopEntry, capabilities: capabilities,
            localized: AppStrings.localizedString(forKey:))
        let identifier = notification.identifier
        do throws(BusError) {
            let number = try connection.notify(message, replacing: ledger.replaced(by: identifier))
            ledger.shown(identifier, number: number, category: category)
        } catch {
            log("notification '\(identifier)' is not shown: \(error)")
        }
    }

    func withdraw(_ identifiers: [String]) {
        for identifier in identifiers {
            guard let number = ledger.forget(identifier) else { continue }
            do throws(BusError) {
                try connection.close(number)
            } catch {
                log("notification '\(identifier)' is not closed: \(error)")
            }
        }
    }
}
