public import Foundation
public import Recurrence
public import UserNotifications

/// The notification part of an app: permission, registration at the push service, and everything that happens with
/// notifications.
///
/// Make one while the app launches, and forward the app delegate's functions to those of the same names:
///
///     let reminders = Reminders()
///     let belfry = Belfry(service: address, hooks: Belfry.Hooks(reminders: reminders))
///     belfry.onEvent { event in … }                    // taps, actions, what was missed
///     belfry.start(.plain)                             // in didFinishLaunching
///     try await belfry.permission.request { await askNicely() }
///
/// Safe from any thread; handlers are called on the main actor.
public final class Belfry: Sendable {
    /// What the app does for the library.
    public struct Hooks: Sendable {
        /// Reminders have to be planned again: at each launch and activation, and when the user has allowed notifications
        /// that were denied.
        public var replan: @Sendable () async -> Void = {}
        /// Reminders of the user who leaves have to go.
        public var clearReminders: @Sendable () async -> Void = {}
        /// Something went wrong where nobody waits for an error.
        public var report: @Sendable (BelfryKitError) -> Void = { _ in }

        /// Makes hooks that do nothing.
        public init() {}
    }

    /// The user's permission, and the app's own switch.
    public let permission: Permission
    /// The registration at the push service.
    public let registration: Registration
    /// Where everything that happens with notifications arrives.
    public let router: NotificationRouter
    /// The pushes that users opened, and those that reached the app.
    public let opens: OpenTracking
    /// What users do in the app, for the push service.
    public let events: EventTracking
    /// The number on the icon, as the count of what is unread.
    public let badge: UnreadBadge
    /// The notification categories of all parts of the app.
    public let categories: CategoryRegistry

    private let reports: ReportQueue
    private let surroundings: KitSurroundings
    private let hooks: Hooks
    private let hasService: Bool
    private let link: NotificationCenterLink
    /// Readings of the permission, with the planning that follows; each ends after the one before it.
    private let refreshing = Guarded<Task<Void, Never>?>(nil)

    /// Makes the notification part of an app, and becomes the notification centre's delegate.
    ///
    /// - Parameters:
    ///   - service: the push service; nil for an app that has reminders only: it never asks for a device token.
    ///   - center: the app's notification centre; on iOS `.current()`.
    ///   - platform: the system around the app; on iOS `UIKitPlatform()`.
    ///   - transport: sends requests; on iOS `URLSessionTransport()`.
    ///   - storage: what survives the process.
    ///   - sharedStorage: what the app's extensions read, in a group; nil for an app without any.
    ///   - time: the device's clock and zone.
    ///   - random: a number from 0 to 1, for the spread of retries.
    ///   - reportsReceipts: whether the push service is told of each push that reaches the app: one that comes while it is
    ///     in front, and one with `content-available`. What the system shows by itself needs ``DeliveryReceipts`` in a
    ///     service extension. A push without an alert has to name itself in its payload, as `notificationId`. LeanCloud's own
    ///     service takes no receipts.
    ///   - badgePolicy: what decides about the number on the icon.
    ///   - hooks: what the app does for the library.
    public init(
        service: PushServiceAddress?, center: UNUserNotificationCenter, platform: any ApplicationPlatform,
        transport: any HTTPTransport, storage: any KeyValueStorage,
        sharedStorage: (any KeyValueStorage)? = nil, time: any DeviceTime = SystemTime(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        reportsReceipts: Bool = false, badgePolicy: BadgePolicy = .manual, hooks: Hooks = Hooks()
    ) {
        let surroundings = KitSurroundings(
            platform: platform, storage: storage, time: time, report: hooks.report, random: random)
        self.surroundings = surroundings
        self.hooks = hooks
        link = NotificationCenterLink(center)
        let hasService = service != nil
        self.hasService = hasService
        // Without a service there is no device token, and without one nothing is sent: the address is never used.
        let address =
            service
            ?? PushServiceAddress(
                url: URL(fileURLWithPath: "/"), applicationID: "", applicationKey: "")
        let client = ServiceClient(address: address, transport: transport)
        let confirmed = Confirmation()
        let registration = Registration(client: client, surroundings: surroundings) { confirmed.call() }
        let reports = ReportQueue(client: client, surroundings: surroundings) { registration.state.objectID }
        self.reports = reports
        let opens = OpenTracking(queue: reports)
        events = EventTracking(queue: reports)
        confirmed.set { [weak registration, weak reports] in
            if let objectID = registration?.state.objectID, let sharedStorage {
                try? StoredValue<SharedIdentity>(SharedIdentity.key, in: sharedStorage).save {
                    SharedIdentity(objectID: objectID)
                }
            }
            reports?.flush()
        }
        permission = Permission(
            center: center, surroundings: surroundings,
            onChange: { change in
                if change.beginsToNotify { await hooks.replan() }
            },
            onWish: { isWanted in
                if hasService { registration.setWanted(isWanted) }
            })
        let badge = UnreadBadge(center: center, surroundings: surroundings, policy: badgePolicy)
        self.badge = badge
        router = NotificationRouter(
            center: center, surroundings: surroundings,
            onArrival: { if reportsReceipts, hasService { opens.receive($0) } },
            onResponse: { response in
                opens.record(response)
                badge.listChanges()
            })
        categories = CategoryRegistry(center: center)
        self.registration = registration
        self.opens = opens
        router.activate()
    }

    // MARK: Handlers

    /// Attaches who acts on taps, actions and the like; what has waited comes at once.
    public func onEvent(_ handler: @escaping NotificationRouter.Handler) { router.attach(handler) }

    /// Sets how notifications are shown while the app is in front; at first they are shown in full.
    public func onPresent(_ presentation: @escaping NotificationRouter.Presentation) {
        router.setPresentation(presentation)
    }

    /// Sets who works on pushes with `content-available`.
    public func onBackgroundPush(_ handler: @escaping NotificationRouter.BackgroundHandler) {
        router.setBackgroundHandler(handler)
    }

    // MARK: The app delegate

    /// The app finishes launching: call it before `didFinishLaunching` returns.
    @MainActor public func start(_ cause: LaunchCause = .plain) {
        router.activate()
        let phase = surroundings.platform.phase
        router.launch(cause, in: phase)
        if hasService {
            registration.launch()
            reports.flush()
        }
        refresh()
    }

    /// The system gave a device token.
    public func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {
        registration.receive(deviceToken: deviceToken)
    }

    /// The system gave no device token.
    public func didFailToRegisterForRemoteNotifications(withError error: any Error) {
        registration.fail(error)
    }

    /// A remote notification for the app itself came.
    @MainActor public func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) async -> FetchOutcome
    {
        await router.receiveRemoteNotification(userInfo)
    }

    /// The app is about to come to the front.
    public func applicationWillEnterForeground() { router.enterForeground() }

    /// The app is in front: permission, zone and language may have changed, and a network may be back.
    public func applicationDidBecomeActive() {
        router.becomeActive()
        if hasService {
            registration.activate()
            reports.retryNow()
        }
        categories.restore()
        refresh()
        // The number is read first: that it was there is an event of its own.
        badge.activate(after: { [router] in await router.settle() })
    }

    /// The app gets no events any more.
    public func applicationWillResignActive() { router.resignActive() }

    /// The app is not seen any more.
    public func applicationDidEnterBackground() {
        router.enterBackground()
        badge.listChanges()
    }

    /// The system gave the app some time in the background: permission may have changed, and reminders are planned again.
    ///
    /// On iOS in the handler of a `BGAppRefreshTask`; it is done when this returns.
    public func applicationPerformBackgroundRefresh() async {
        await permission.refresh()
        await hooks.replan()
    }

    /// Reads the permission, and has reminders planned.
    private func refresh() {
        // Ends with the planning; the app may be suspended meanwhile, and the next activation does it again.
        refreshing.withLock { last in
            let former = last
            last = Task { [self] in
                await former?.value
                await applicationPerformBackgroundRefresh()
            }
        }
    }

    // MARK: Users

    /// A user signs in, perhaps in place of another, whose reminders go.
    ///
    /// - Throws: `invalidArgument` for a name that is not allowed, `storage`.
    public func signIn(
        attributes: [String: PayloadValue] = [:], channels: Set<String> = []
    ) async throws(BelfryKitError) {
        if hasService {
            try registration.signIn(attributes: attributes, channels: channels)
            reports.forgetEvents()
        }
        await hooks.clearReminders()
    }

    /// The user signs out: nothing of theirs stays on the device, in the list or at the push service.
    ///
    /// - Throws: `storage`.
    public func signOut() async throws(BelfryKitError) {
        await hooks.clearReminders()
        // Pushes too: the next one who holds the device must not read them.
        await badge.clear(removingDelivered: true)
        reports.forgetEvents()
        if hasService { try await registration.signOut() }
    }

    /// Waits until nothing is on its way.
    ///
    /// For tests and simulators.
    public func settle() async {
        await router.settle()
        await settleWork()
        await router.settle()
    }

    /// Waits until the library has done its own part: reading the permission, planning, and requests to the service.
    package func settleWork() async {
        await refreshing.withLock { $0 }?.value
        await badge.settle()
        await registration.settle()
        await reports.settle()
    }

    /// When the library next has something to do by itself; nil for not at all.
    ///
    /// For tests and simulators.
    public var nextWake: Instant? {
        [registration.nextAttempt, reports.nextAttempt].compactMap(\.self).min()
    }

    /// What a confirmation leads to; set after the objects that it needs are made.
    private final class Confirmation: Sendable {
        private let body = Guarded<(@Sendable () -> Void)?>(nil)

        func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

        func call() { body.withLock { $0 }?() }
    }
}
