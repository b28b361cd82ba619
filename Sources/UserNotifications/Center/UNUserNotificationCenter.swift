internal import Synchronization

/// An app's notifications: permission, categories, what is pending and what was delivered.
///
/// All functions return at once. What they ask for happens in the order of the calls, on a queue of the centre;
/// completion handlers are called in the same order, on another one.
///
/// Sendable: the service is, and the delegate is behind a lock and used on the main actor only.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    package let service: NotificationService

    private struct WeakDelegate {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
    }

    private let box = NSLock()
    private var weakDelegate = WeakDelegate()

    /// Makes a centre on a host, apart from `current()`: for tests and for apps with a device of their own.
    ///
    /// It begins with what the host has saved. A host serves one centre.
    public init(host: any NotificationHost) {
        service = NotificationService(host: host)
        super.init()
        service.start(for: self)
    }

    /// The app's centre.
    ///
    /// It is the one of ``withCurrent(_:_:)-swift.type.method`` where that is on, else the installed one, else one of
    /// the machine, made at the first call. It needs no bundle and never stops the process.
    open class func current() -> UNUserNotificationCenter { NotificationScope.current }

    /// Who is told of notifications and responses; held weakly.
    ///
    /// Set it before the app has finished launching: what is told before is lost.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get {
            box.lock()
            defer { box.unlock() }
            return weakDelegate.delegate
        }
        set {
            box.lock()
            defer { box.unlock() }
            weakDelegate.delegate = newValue
        }
    }

    /// Whether content extensions are shown: they are not.
    open var supportsContentExtensions: Bool { false }

    // MARK: Permission

    /// Asks for permission; the user sees a question the first time only.
    ///
    /// - Parameter completionHandler: gets whether the app may notify, on a background queue.
    @preconcurrency open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        service.requestAuthorization(options) { completionHandler($0, nil) }
    }

    /// Gets what the user allows.
    @preconcurrency open func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        query({ UNNotificationSettings(record: $0.settings) }, completionHandler)
    }

    // MARK: Categories

    /// Replaces all of the app's categories.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        let records = categories.map(\.record)
        service.submit { [service] in
            service.apply { ((), $0.setCategories(records)) }
        }
    }

    /// Gets the app's categories.
    @preconcurrency open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        query({ Set($0.categories.values.map { UNNotificationCategory(record: $0) }) }, completionHandler)
    }

    // MARK: Pending

    /// Schedules a request, in place of a pending one of the same identifier.
    ///
    /// No error does not mean that it is pending: too many, a date in the past, and a missing permission are not
    /// reported, as on iOS. The host's diagnosis tells.
    ///
    /// - Parameter completionHandler: gets a `UNError` for content that cannot be shown, on a background queue.
    @preconcurrency open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        service.add(request.record, completion: completionHandler)
    }

    /// Gets the pending requests, in the order in which they were added.
    @preconcurrency open func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        query(
            { state in
                NotificationCenterMachine(state: state).pending.map { UNNotificationRequest(pending: $0) }
            }, completionHandler)
    }

    /// Takes back pending requests; other identifiers do nothing.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        service.change { $0.removePending(identifiers) }
    }

    /// Takes back all pending requests.
    open func removeAllPendingNotificationRequests() {
        service.change { $0.removeAllPending() }
    }

    // MARK: Delivered

    /// Gets the notifications that are in the list, oldest first.
    @preconcurrency open func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        query({ $0.delivered.map { UNNotification(record: $0) } }, completionHandler)
    }

    /// Takes notifications out of the list; other identifiers do nothing.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        service.submit { [service] in
            service.apply { ((), $0.removeDelivered(identifiers)) }
        }
    }

    /// Empties the list of the app's notifications.
    open func removeAllDeliveredNotifications() {
        service.submit { [service] in
            service.apply { ((), $0.removeAllDelivered()) }
        }
    }

    // MARK: Badge

    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// - Parameter completionHandler: gets `badgeInputInvalid` for a number below 0, on a background queue.
    @preconcurrency open func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        service.submit { [service] in
            let code = service.apply { machine in
                let result = machine.setBadge(newBadgeCount, policy: service.host.policy.zeroBadge)
                return (result.error, result.actions)
            }
            if let completionHandler { service.callOut { completionHandler(code.map { UNError($0) }) } }
        }
    }

    /// Reads the state after everything that was asked for before.
    private func query<Value: Sendable>(
        _ read: @escaping @Sendable (NotificationState) -> Value,
        _ completion: @escaping @Sendable (Value) -> Void
    ) {
        service.submit { [service] in
            let state = service.currentState()
            service.callOut { completion(read(state)) }
        }
    }
}
