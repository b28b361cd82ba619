internal import Recurrence

/// What reaches the app's handler of all that happens with notifications, once and in order.
///
/// Events wait until a handler is attached. The phases of the app decide what a response means and whether coming to the
/// front was by the icon:
///
///     launching ──▶ background ──(foreground)──▶ inactive ──▶ active ──▶ inactive ──▶ background
///         └────────────────────────────────────────▲
///     a response between "foreground" and "active", or before "active" after a launch, brought the app to the front
struct RouterMachine: Sendable {
    enum Action: Hashable, Sendable {
        /// Give the handler an event.
        case deliver(NotificationEvent)
        /// Read the badge and report it with `readBadge`.
        case readBadge
        case none
    }

    /// Events that wait for a handler; then the oldest go, as the newest is what the user did last.
    static let waitingCountMax = 64
    /// Responses that are remembered, so that one which comes twice is given once.
    static let rememberedCountMax = 64

    private(set) var phase = ApplicationPhase.launching
    private(set) var launchCause = LaunchCause.plain
    private var hasHandler = false
    private var isDelivering = false
    private var waiting: [NotificationEvent] = []
    private var remembered: [ReceivedResponse] = []
    /// Whether what brings the app to the front is known already, and is not its icon.
    private var isForegroundExplained = false
    /// Whether the app comes to the front, seen from a launch or from the background.
    private var isComing = true
    private var isBadgeWanted = false
    private var isBadgeBeingRead = false

    /// Events that were dropped because no handler was attached for long.
    private(set) var droppedCount = 0

    // MARK: The app's life

    mutating func launch(_ cause: LaunchCause, in phase: ApplicationPhase) {
        launchCause = cause
        self.phase = phase
        isComing = true
        switch cause {
        case .plain: isForegroundExplained = false
        case .localNotification, .other: isForegroundExplained = true
        // Launched for a background push, the app may come to the front much later, and by its icon.
        case .remoteNotification: isForegroundExplained = phase != .background
        }
    }

    mutating func enterForeground() {
        phase = .inactive
        isComing = true
        isForegroundExplained = false
    }

    mutating func becomeActive() {
        phase = .active
        if isComing, !isForegroundExplained { isBadgeWanted = true }
        isComing = false
    }

    mutating func resignActive() { phase = .inactive }

    mutating func enterBackground() {
        phase = .background
        isComing = false
        isBadgeWanted = false
    }

    /// The app is opened by an address or the like.
    mutating func openOtherwise() {
        isForegroundExplained = true
        isBadgeWanted = false
    }

    // MARK: Notifications

    /// The user acted on a notification.
    ///
    /// - Returns: whether it is new; the same one can come through a second delegate.
    mutating func receive(_ response: ReceivedResponse) -> Bool {
        guard !remembered.contains(response) else { return false }
        remembered.append(response)
        if remembered.count > Self.rememberedCountMax { remembered.removeFirst() }
        if response.gesture != .dismiss {
            isForegroundExplained = true
            isBadgeWanted = false
        }
        wait(response.event(in: phase))
        return true
    }

    mutating func present(_ notification: ReceivedNotification) { wait(.arrived(notification)) }

    mutating func requestSettings(_ notification: ReceivedNotification?) {
        isForegroundExplained = true
        isBadgeWanted = false
        wait(.settingsRequested(notification))
    }

    mutating func readBadge(_ count: Int) {
        isBadgeBeingRead = false
        guard isBadgeWanted else { return }
        isBadgeWanted = false
        if count > 0 { wait(.openedByIcon(badge: count)) }
    }

    private mutating func wait(_ event: NotificationEvent) {
        waiting.append(event)
        if waiting.count > Self.waitingCountMax {
            waiting.removeFirst()
            droppedCount += 1
        }
    }

    // MARK: Delivery

    mutating func attachHandler() { hasHandler = true }

    mutating func detachHandler() { hasHandler = false }

    /// What to do now.
    mutating func next() -> Action {
        if isBadgeWanted, !isBadgeBeingRead {
            isBadgeBeingRead = true
            return .readBadge
        }
        guard hasHandler, !isDelivering, !waiting.isEmpty else { return .none }
        isDelivering = true
        return .deliver(waiting.removeFirst())
    }

    /// The handler is done with an event.
    mutating func delivered() { isDelivering = false }

    /// Whether everything was done.
    var isSettled: Bool { !isDelivering && (waiting.isEmpty || !hasHandler) && !isBadgeBeingRead }
}
