internal import Foundation

/// What the desktop presenter's thread has: the connection, the ledger, and what waits for a service.
///
///     no bus ──(next try)──▶ connected, service unknown ──(a call, its name appears)──▶ service known
///       ▲                          ▲                                                      │
///       └──(bus lost)──────────────┴──(name lost or taken over: its numbers are void)─────┘
final class DesktopWorker {
    private struct Waiting {
        var notification: NotificationRecord
        var category: CategoryRecord?
        var presentation: NotificationPresentation
    }

    private let address: String?
    private let appName: String
    private let desktopEntry: String
    private let wakeUp: Int32
    private let retry: ClosedRange<Duration>

    private var connection: BusConnection?
    private var capabilities: Set<String>?
    /// The bus name of the service that gave the ledger's numbers.
    private var owner: String?
    private var ledger = DesktopLedger()
    private var waiting: [Waiting] = []
    private var badge: Int?
    /// Numbers of notifications that were acted on and are to be closed.
    private var acted: [UInt32] = []
    private var pause: Duration
    private var nextTry = ContinuousClock.now
    private var hasSaidAbsent = false
    private var deliver: (DesktopLedger.Event) -> Void = { _ in }
    private var log: (String) -> Void = { _ in }

    /// The thread looks after the bus this often even if nothing happens, in milliseconds.
    private static let pollMilliseconds: Int64 = 60_000
    /// How many notifications wait for a service; the oldest are given up.
    static let waitingCountMax = 100

    /// - Parameter retry: pauses between two tries to reach a bus, the first one and the longest.
    init(
        connection: BusConnection, address: String?, appName: String, desktopEntry: String, wakeUp: Int32,
        retry: ClosedRange<Duration>
    ) {
        self.connection = connection
        self.address = address
        self.appName = appName
        self.desktopEntry = desktopEntry
        self.wakeUp = wakeUp
        self.retry = retry
        pause = retry.lowerBound
    }

    /// Works until there is nobody to work for.
    ///
    /// - Parameters:
    ///   - next: takes what is to be done; nil when the presenter is gone.
    ///   - deliver: takes what the user did.
    func run(
        next: () -> [@Sendable (DesktopWorker) -> Void]?, deliver: @escaping (DesktopLedger.Event) -> Void,
        log: @escaping (String) -> Void
    ) {
        self.log = log
        self.deliver = deliver
        listen()
        while let commands = next() {
            for command in commands { command(self) }
            if connection == nil, nextTry <= .now { connect() }
            process()
            wait()
        }
        connection?.receive = nil
    }

    // MARK: Bus

    private func process() {
        guard let connection else { return }
        do throws(BusError) {
            repeat {
                while try connection.process() {}
                // Each call may have brought messages with its answer, so that there is nothing to wait for.
                let numbers = acted
                acted = []
                for number in numbers { closeQuietly(number) }
                guard !numbers.isEmpty else { return }
            } while true
        } catch {
            lose(error)
        }
    }

    private func closeQuietly(_ number: UInt32) {
        do throws(BusError) {
            try connection?.close(number)
        } catch {
            // Some services refuse to close what they have closed themselves; a lost bus is found by the next step.
        }
    }

    private func listen() {
        connection?.receive = { [unowned self] signal in receive(signal) }
    }

    private func lose(_ error: BusError) {
        log("the session bus is lost, and looked for again: \(error)")
        connection?.receive = nil
        connection = nil
        forgetService()
        pause = retry.lowerBound
        nextTry = .now + pause
    }

    private func connect() {
        do throws(BusError) {
            connection = try BusConnection(address: address)
        } catch {
            pause = min(pause * 2, retry.upperBound)
            nextTry = .now + pause
            return
        }
        log("the session bus is back")
        listen()
        sendBadge()
        showWaiting()
    }

    private func wait() {
        var descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
        var milliseconds = Self.pollMilliseconds
        if let connection {
            descriptors.append(pollfd(fd: connection.descriptor, events: connection.events, revents: 0))
        } else {
            let left = (nextTry - .now).components
            let whole = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            milliseconds = min(milliseconds, max(0, whole + 1))
        }
        _ = poll(&descriptors, nfds_t(descriptors.count), Int32(milliseconds))
        var count: UInt64 = 0
        // The descriptor does not block; it only has to be emptied.
        _ = read(wakeUp, &count, 8)
    }

    // MARK: Service

    private func receive(_ signal: BusSignal) {
        switch signal {
        case .action(let number, let key): invoke(ledger.invoked(number: number, key: key), number)
        case .reply(let number, let text):
            invoke(
                ledger.invoked(number: number, key: DesktopNotification.inlineReplyKey, text: text), number)
        case .closed(let number, let reason): ledger.closed(number: number, reason: reason).map(deliver)
        case .owner(let new):
            // A service that a call has started is known before the bus tells of it.
            if new == nil || new != owner { forgetService() }
            owner = new
            if new != nil { showWaiting() }
        }
    }

    /// Some services (dunst) leave on the screen what was acted on; closing it twice does no harm.
    private func invoke(_ event: DesktopLedger.Event?, _ number: UInt32) {
        guard let event else { return }
        acted.append(number)
        deliver(event)
    }

    private func forgetService() {
        acted = []
        ledger.serviceRestarted()
        capabilities = nil
        owner = nil
    }

    private func showWaiting() {
        let held = waiting
        waiting = []
        for item in held {
            show(item.notification, category: item.category, presentation: item.presentation)
        }
    }

    // MARK: Commands

    func show(
        _ notification: NotificationRecord, category: CategoryRecord?, presentation: NotificationPresentation
    ) {
        let item = Waiting(notification: notification, category: category, presentation: presentation)
        guard let connection else {
            hold(item)
            return
        }
        let identifier = notification.identifier
        do throws(BusError) {
            if capabilities == nil { capabilities = try connection.capabilities() }
            let message = DesktopNotification(
                notification, category: category, presentation: presentation, appName: appName,
                desktopEntry: desktopEntry, capabilities: capabilities ?? [],
                localized: AppStrings.localizedString(forKey:))
            let shown = try connection.notify(message, replacing: ledger.replaced(by: identifier))
            // The service was exchanged between the last signal and this answer.
            if shown.owner != owner { ledger.serviceRestarted() }
            owner = shown.owner
            ledger.shown(identifier, number: shown.number, category: category)
            hasSaidAbsent = false
        } catch {
            guard connection.isOpen else {
                lose(error)
                hold(item)
                return
            }
            guard error.isServiceAbsent else {
                log("notification '\(identifier)' is not shown: \(error)")
                return
            }
            hold(item)
            if !hasSaidAbsent {
                log("nothing is shown: no notification service answers on the session bus; waiting for one")
            }
            hasSaidAbsent = true
        }
    }

    private func hold(_ item: Waiting) {
        waiting.removeAll { $0.notification.identifier == item.notification.identifier }
        waiting.append(item)
        if waiting.count > Self.waitingCountMax {
            let given = waiting.removeFirst()
            log("notification '\(given.notification.identifier)' is not shown: too many wait for a service")
        }
    }

    func withdraw(_ identifiers: [String]) {
        waiting.removeAll { identifiers.contains($0.notification.identifier) }
        for identifier in identifiers {
            guard let number = ledger.forget(identifier), let connection else { continue }
            do throws(BusError) {
                try connection.close(number)
            } catch {
                log("notification '\(identifier)' is not closed: \(error)")
            }
        }
    }

    func setBadge(_ count: Int) {
        badge = count
        sendBadge()
    }

    private func sendBadge() {
        guard let badge, let connection else { return }
        do throws(BusError) {
            try connection.launcher(count: badge, desktopEntry: desktopEntry)
        } catch {
            log("the badge is not shown: \(error)")
        }
    }
}
