internal import Foundation
internal import Recurrence
public import UserNotifications

/// The one place where everything that happens with notifications arrives, and from which the app's handler hears of
/// it once, in order, whatever the app was doing.
///
/// It is the notification centre's delegate. Make it before the app has finished launching and keep it: what the system
/// tells before there is a delegate is lost. What arrives before a handler is attached waits.
///
/// Sendable: state is behind locks; the system's objects are turned into values where they arrive.
public final class NotificationRouter: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
    /// Acts on an event; the next one comes when it returns.
    public typealias Handler = @MainActor @Sendable (NotificationEvent) async -> Void
    /// Decides how a notification is shown while the app is in front.
    public typealias Presentation =
        @MainActor @Sendable (ReceivedNotification) async -> ForegroundPresentation
    /// Works on a push in the background, within 30 s.
    public typealias BackgroundHandler = @MainActor @Sendable (ReceivedNotification) async -> FetchOutcome

    private struct Contents: Sendable {
        var machine = RouterMachine()
        var handler: Handler?
        var presentation: Presentation = { _ in .full }
        var background: BackgroundHandler?
        var isDraining = false
        /// Who waits for everything that is on its way.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let link: NotificationCenterLink
    private let surroundings: KitSurroundings
    private let contents = Guarded(Contents())
    /// Called with each new response before anything else: what is counted must not depend on the app's screens.
    private let onResponse: @Sendable (ReceivedResponse) -> Void
    /// Called with each remote notification that reaches the app itself, before anything else.
    private let onArrival: @Sendable (ReceivedNotification) -> Void

    init(
        center: UNUserNotificationCenter, surroundings: KitSurroundings,
        onArrival: @escaping @Sendable (ReceivedNotification) -> Void = { _ in },
        onResponse: @escaping @Sendable (ReceivedResponse) -> Void = { _ in }
    ) {
        link = NotificationCenterLink(center)
        self.surroundings = surroundings
        self.onArrival = onArrival
        self.onResponse = onResponse
        super.init()
    }

    /// Begins to listen to the notification centre.
    public func activate() { link.center.delegate = self }

    // MARK: What the app says

    /// Attaches who acts on events, in place of one before; what has waited comes at once, oldest first.
    public func attach(_ handler: @escaping Handler) {
        contents.withLock { contents in
            contents.handler = handler
            contents.machine.attachHandler()
        }
        drain()
    }

    /// Lets events wait again.
    public func detach() {
        contents.withLock { contents in
            contents.handler = nil
            contents.machine.detachHandler()
        }
    }

    /// Sets who decides how notifications are shown while the app is in front; at first they are shown in full.
    public func setPresentation(_ presentation: @escaping Presentation) {
        contents.withLock { $0.presentation = presentation }
    }

    /// Sets who works on pushes with `content-available`.
    public func setBackgroundHandler(_ handler: @escaping BackgroundHandler) {
        contents.withLock { $0.background = handler }
    }

    /// What the app is doing.
    public var phase: ApplicationPhase { contents.withLock { $0.machine.phase } }

    /// Why the app was launched.
    ///
    /// A tap comes as an event all the same; only a response counts as one.
    public var launchCause: LaunchCause { contents.withLock { $0.machine.launchCause } }

    // MARK: What the system says

    /// The user acted on a notification.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        receive(ReceivedResponse(response))
        let completion = Completion { (_: Void) in completionHandler() }
        // Ends when the app has handled it, or waits for a handler, which may come much later.
        Task { @MainActor [self] in
            await settle()
            completion.call(())
        }
    }

    /// A notification comes while the app is in front.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let received = ReceivedNotification(notification)
        if received.source == .remote { onArrival(received) }
        let completion = Completion(completionHandler)
        let presentation = contents.withLock { contents in
            contents.machine.present(received)
            return contents.presentation
        }
        // Ends with the app's decision.
        Task { @MainActor [self] in
            completion.call(await presentation(received).options)
            drain()
        }
    }

    /// The user wants to see the app's own notification settings.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
        let received = notification.map { ReceivedNotification($0) }
        event { $0.requestSettings(received) }
    }

    /// Takes a response, from the system or from another delegate that has one.
    public func receive(_ response: ReceivedResponse) {
        // Counted first: a second look at the same one is sorted out there, too, and across launches.
        onResponse(response)
        event { _ = $0.receive(response) }
    }

    /// A remote notification for the app itself, such as one with `content-available`.
    @MainActor public func receiveRemoteNotification(_ payload: [AnyHashable: Any]) async -> FetchOutcome {
        let received = ReceivedNotification(payload: payload, date: surroundings.time.now)
        onArrival(received)
        guard let handler = contents.withLock({ $0.background }) else { return .noData }
        return await handler(received)
    }

    // MARK: The app's life

    /// The app has finished launching.
    public func launch(_ cause: LaunchCause, in phase: ApplicationPhase) {
        event { $0.launch(cause, in: phase) }
    }

    /// The app is about to come to the front.
    public func enterForeground() { event { $0.enterForeground() } }
    /// The app is in front.
    public func becomeActive() { event { $0.becomeActive() } }
    /// The app gets no events any more.
    public func resignActive() { event { $0.resignActive() } }
    /// The app is not seen any more.
    public func enterBackground() { event { $0.enterBackground() } }
    /// The app is opened by an address, a shortcut or an activity, and not by its icon.
    public func openOtherwise() { event { $0.openOtherwise() } }

    private func event(_ body: (inout RouterMachine) -> Void) {
        contents.withLock { body(&$0.machine) }
        drain()
    }

    // MARK: Delivery

    /// Gives the handler what there is, on the main actor, one event after another.
    private func drain() {
        let begins = contents.withLock { contents in
            defer { contents.isDraining = true }
            return !contents.isDraining
        }
        // Ends when nothing is left to do.
        if begins { Task { @MainActor [self] in await deliver() } }
    }

    @MainActor private func deliver() async {
        while true {
            let (action, handler, idle) = contents.withLock {
                contents -> (RouterMachine.Action, Handler?, [CheckedContinuation<Void, Never>]) in
                let action = contents.machine.next()
                guard action == .none else { return (action, contents.handler, []) }
                contents.isDraining = false
                defer { contents.waiting = [] }
                return (action, nil, contents.waiting)
            }
            for continuation in idle { continuation.resume() }
            switch action {
            case .none: return
            case .readBadge:
                // A response that is on its way when the app becomes active comes first.
                await Task.yield()
                let count = surroundings.platform.badgeCount
                contents.withLock { $0.machine.readBadge(count) }
            case .deliver(let event):
                await handler?(event)
                contents.withLock { $0.machine.delivered() }
            }
        }
    }

    /// Waits until the handler has had everything that is on its way; without a handler nothing is.
    public func settle() async {
        await withCheckedContinuation { continuation in
            let isIdle = contents.withLock { contents in
                if !contents.isDraining { return true }
                contents.waiting.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    // MARK: Showing

    /// Shows a remote notification as one of the app's own: one that came silently, or that the app had kept back.
    ///
    /// A second call with the same notification replaces the first.
    /// - Parameters:
    ///   - notification: the remote one.
    ///   - title: in place of the notification's own.
    ///   - body: in place of the notification's own.
    /// - Throws: `invalidArgument` for one without any text, `notification` with what the system says.
    public func showLocally(
        _ notification: ReceivedNotification, title: String? = nil, body: String? = nil
    ) async throws(BelfryKitError) {
        let content = UNMutableNotificationContent()
        content.title = title ?? notification.title
        content.subtitle = notification.subtitle
        content.body = body ?? notification.body
        guard !content.title.isEmpty || !content.body.isEmpty else {
            throw BelfryKitError(
                code: .invalidArgument, message: "body: found none; allowed: a title or a body to show")
        }
        content.categoryIdentifier = notification.category
        content.threadIdentifier = notification.thread
        content.badge = notification.badge.map { NSNumber(value: $0) }
        content.sound = .default
        var payload = notification.payload
        // What names the push stays with it, so that a tap on it is counted as an open of the push.
        if let pushID = notification.pushID { payload["notificationId"] = .string(pushID) }
        content.userInfo = payload.reduce(into: [:]) { $0[$1.key] = $1.value.foundationValue }
        let name =
            notification.identifier.isEmpty
            ? String(notification.date.millisecondsSince1970) : notification.identifier
        try await link.add(identifier: "belfry.shown." + name, content: content)
    }

    /// What the system wants to be called with at the end.
    ///
    /// Sendable: called once, on the main actor.
    private struct Completion<Value: Sendable>: @unchecked Sendable {
        private let body: (Value) -> Void

        init(_ body: @escaping (Value) -> Void) {
            self.body = body
        }

        @MainActor func call(_ value: Value) { body(value) }
    }
}
