internal import APNs
internal import Recurrence
internal import UserNotifications

/// Everything a phone is, behind its lock.
///
/// Nothing in here calls a notification centre, whose own lock is taken first, or an app.
struct PhoneContents: Sendable {
    /// A piece of work of an app in the background.
    struct Work: Sendable {
        var name: String
        var end: Instant
    }

    /// An app on the phone.
    struct Slot: Sendable {
        var manifest: AppManifest
        var make: @MainActor @Sendable () -> any PhoneApp
        var lifecycle = AppLifecycle()
        var host: PhoneHost
        var center: UNUserNotificationCenter?
        var storage: AppStorage
        /// Why the next start happens.
        var launchOptions = LaunchOptions()
        var wake: Instant?
        var works: [Int: Work] = [:]
        var graceEnd: Instant?
        var refresh: Instant?
        var held: RequestRecord?
        var token: DeviceToken?
        var isRegistered = false
        var allowsBackgroundRefresh = true
        var allowsLiveActivities = true
        var activityStartToken: DeviceToken?
        /// By the activity's identifier.
        var activityTokens: [String: DeviceToken] = [:]
        var voipToken: DeviceToken?
        /// How many calls the process has reported for the VoIP push that it works on.
        var reportedCallCount = 0
        /// VoIP pushes in a row for which no call was reported.
        var missedCallCount = 0
        var badge = 0
        var vendorIdentifier: String
    }

    /// A task of an app that waits by the phone's clock.
    struct Sleeper: Sendable {
        var app: String
        var end: Instant
        var ticket: CallbackTicket?
        var continuation: CheckedContinuation<Void, Never>
    }

    /// A service extension at work.
    struct ExtensionWork: Sendable {
        var app: String
        var end: Instant
        var run: ServiceExtensionRun?
        var ticket: CallbackTicket
    }

    /// A user's decision that outlives its app.
    struct FormerDecision: Sendable {
        var state: NotificationState
        var deletedAt: Instant
    }

    /// Who waits until the phone shows something.
    struct Watcher {
        var id: Int
        var condition: @Sendable (PhoneState) -> Bool
        var continuation: CheckedContinuation<PhoneState?, Never>
    }

    var name: String
    var clock: PhoneClock
    var zone: Zone
    var language: String
    var policy: PhonePolicy
    var permission: PermissionAnswer
    var focus: Focus?
    var isMuted = false
    var isLowPower = false
    var isAirplane = false
    var unlocksByFace = true
    var screen: PhoneScreen
    var activities = LiveActivityBoard()
    var journal = PhoneJournal()
    var slots: [String: Slot] = [:]
    /// Bundle identifiers in the order of installation.
    var order: [String] = []
    /// The app in front; nil for the home screen.
    var front: String?
    var formerDecisions: [String: FormerDecision] = [:]
    var prompt: PermissionPrompt?
    var promptAnswer: CheckedContinuation<Bool, Never>?
    var sleepers: [Int: Sleeper] = [:]
    var extensions: [Int: ExtensionWork] = [:]
    var tickets: [Int: CallbackTicket] = [:]
    var steps: [PhoneStep] = []
    var isDraining = false
    /// Work of the phone's own that is under way: registrations, news for the link.
    var activityCount = 0
    /// Counts what was done, to see whether anything was.
    var stamp = 0
    var link: (any PushLink)?
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    var watchers: [Watcher] = []
    var listeners: [Int: @Sendable (JournalEntry) -> Void] = [:]
    var isChanged = false
    var random: SeededRandom
    private var lastNumber = 0

    init(
        name: String, clock: PhoneClock, zone: Zone, language: String, policy: PhonePolicy,
        permission: PermissionAnswer, isLocked: Bool, seed: UInt64
    ) {
        self.name = name
        self.clock = clock
        self.zone = zone
        self.language = language
        self.policy = policy
        self.permission = permission
        screen = PhoneScreen(isLocked: isLocked)
        random = SeededRandom(seed: seed)
    }

    var now: Instant { clock.now }

    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func log(
        _ event: JournalEntry.Event, app: String? = nil, notification: Int? = nil, _ text: String = ""
    ) {
        let entry = journal.add(
            event, at: now, zone: zone, app: app, notification: notification, text: text)
        isChanged = true
        for listener in listeners.values { listener(entry) }
    }

    /// Whether nothing is going on that ends by itself.
    var isIdle: Bool {
        guard !isDraining, steps.isEmpty, activityCount == 0 else { return false }
        // While a question is on the screen its app waits for the user.
        return tickets.values.allSatisfy { !$0.isBusy || $0.app == prompt?.app }
    }

    // MARK: Lifecycle

    /// Gives an event to an app's lifecycle and queues what follows.
    ///
    /// - Returns: whether the event was possible.
    @discardableResult
    mutating func apply(
        _ event: AppLifecycle.Event, to app: String, handing: HandOver = .nothing,
        options: LaunchOptions = LaunchOptions()
    ) -> Bool {
        guard var slot = slots[app] else { return false }
        let before = slot.lifecycle.state
        guard let steps = slot.lifecycle.handle(event) else { return false }
        let after = slot.lifecycle.state
        if !after.isRunning {
            slot.works = [:]
            slot.graceEnd = nil
            // What was kept for the app goes with its process.
            if let held = slot.held {
                slot.held = nil
                log(.dropped, app: app, "\(held.identifier): it was held, and the app has ended")
            }
        }
        if after.isForeground { slot.graceEnd = nil }
        if event == .left { slot.graceEnd = now.advanced(byMilliseconds: policy.graceMilliseconds) }
        slots[app] = slot
        for step in steps { queue(step, app, handing, options) }
        logChange(from: before, to: after, because: event, of: app)
        return true
    }

    private mutating func queue(
        _ step: AppLifecycle.Step, _ app: String, _ handing: HandOver, _ options: LaunchOptions
    ) {
        switch step {
        case .start(let state):
            slots[app]?.launchOptions = options
            log(.launched, app: app, state == .background ? "in the background" : "")
            steps.append(.start(app: app, state))
        case .call(let call, let state):
            let options = call == .didFinishLaunching ? options : LaunchOptions()
            steps.append(.call(app: app, .lifecycle(call, options), state, work: nil))
        case .handOver(let state):
            switch handing {
            case .nothing: break
            case .response(let response, let work):
                steps.append(.respond(app: app, response, state, work: work))
            case .push(let request, let work):
                steps.append(.call(app: app, .didReceiveRemoteNotification(request), state, work: work))
            case .refresh(let work):
                steps.append(.call(app: app, .backgroundRefresh, state, work: work))
            case .callback(let callback, let work):
                steps.append(.call(app: app, callback, state, work: work))
            }
        case .end: steps.append(.end(app: app))
        case .erase: break
        }
    }

    private mutating func logChange(
        from before: AppState, to after: AppState, because event: AppLifecycle.Event, of app: String
    ) {
        guard before != after else { return }
        switch after {
        case .active: log(.active, app: app)
        case .inactive: log(.inactive, app: app)
        case .background: log(.background, app: app)
        case .suspended: log(.suspended, app: app)
        case .notInstalled: log(.uninstalled, app: app)
        case .notRunning:
            switch event {
            case .forceQuit: log(.forceQuit, app: app)
            case .crashed: log(.crashed, app: app)
            case .installed: log(.installed, app: app, slots[app]?.manifest.name ?? "")
            default: log(.terminated, app: app)
            }
        }
    }

    /// Begins a piece of work of an app in the background; it has to be done in time.
    mutating func beginWork(_ name: String, of app: String) -> Int {
        let number = number()
        let end = now.advanced(byMilliseconds: policy.workMilliseconds)
        slots[app]?.works[number] = Work(name: name, end: end)
        return number
    }

    /// Ends a piece of work; the last one lets the app be suspended.
    mutating func endWork(_ number: Int, of app: String) {
        guard slots[app]?.works.removeValue(forKey: number) != nil else { return }
        suspendIfDone(app)
    }

    mutating func suspendIfDone(_ app: String) {
        guard let slot = slots[app], slot.lifecycle.state == .background, slot.works.isEmpty,
            slot.graceEnd.map({ $0 <= now }) ?? true
        else { return }
        slots[app]?.graceEnd = nil
        apply(.suspended, to: app)
    }

    // MARK: Time

    /// What the phone's clock brings next.
    enum Due: Sendable {
        case wake(String)
        case bannerEnd(Int)
        case grace(String)
        case work(String, Int)
        case refresh(String)
        case sleeper(Int)
        case extensionEnd(Int)
        case liveActivity
    }

    /// When something is due, and what; of several at once, in a fixed order.
    var nextDue: (instant: Instant, due: Due)? {
        var next: (instant: Instant, due: Due)?
        func consider(_ instant: Instant?, _ due: @autoclosure () -> Due) {
            guard let instant, next.map({ instant < $0.instant }) ?? true else { return }
            next = (instant, due())
        }
        if let banner = screen.nextBannerEnd { consider(banner.instant, .bannerEnd(banner.id)) }
        for app in order {
            guard let slot = slots[app] else { continue }
            consider(slot.wake, .wake(app))
            if slot.lifecycle.state == .background {
                consider(slot.works.isEmpty ? slot.graceEnd : nil, .grace(app))
            }
            for (number, work) in slot.works.sorted(by: { $0.key < $1.key }) {
                consider(work.end, .work(app, number))
            }
            consider(slot.refresh, .refresh(app))
        }
        consider(activities.nextDue, .liveActivity)
        for (number, sleeper) in sleepers.sorted(by: { $0.key < $1.key }) {
            consider(sleeper.end, .sleeper(number))
        }
        for (number, work) in extensions.sorted(by: { $0.key < $1.key }) {
            consider(work.end, .extensionEnd(number))
        }
        return next
    }
}
