/// The life of one app: an event in, the calls that follow out.
///
///     notInstalled ⇄ notRunning ──opened──▶ active ⇄ inactive
///                        │  ▲                 │
///                      woken └──(ends)──┐   left
///                        ▼              │     ▼
///                    background ◀───────┴─ background ──▶ suspended
///
/// Launching is the step ``Step/start(_:)``: no event comes between it and what follows.
public struct AppLifecycle: Hashable, Sendable {
    /// What happens to an app.
    public enum Event: Hashable, Sendable {
        /// It is put on the phone.
        case installed
        /// It is deleted.
        case uninstalled
        /// The user opens it, by whatever way.
        case opened
        /// It is started or resumed for a piece of work.
        ///
        /// - Parameter byUser: whether the user asked for it, with an action of a notification: that starts an app that
        ///   was swiped away, too.
        case woken(byUser: Bool)
        /// The user goes home, to another app, or locks the phone.
        case left
        /// Something comes over it: a question, a call.
        case covered
        /// What was over it is gone.
        case uncovered
        /// Its time in the background is over.
        case suspended
        /// The system ends it.
        case terminated
        /// The user swipes it away.
        case forceQuit
        /// It crashes.
        case crashed
        /// The phone is restarted.
        case rebooted
    }

    /// A call of the app's delegate.
    public enum Call: String, Hashable, Sendable {
        /// `application(_:didFinishLaunchingWithOptions:)`
        case didFinishLaunching
        /// `applicationWillEnterForeground(_:)`
        case willEnterForeground
        /// `applicationDidBecomeActive(_:)`
        case didBecomeActive
        /// `applicationWillResignActive(_:)`
        case willResignActive
        /// `applicationDidEnterBackground(_:)`
        case didEnterBackground
        /// `applicationWillTerminate(_:)`
        case willTerminate
    }

    /// What follows from an event, in order.
    public enum Step: Hashable, Sendable {
        /// A process begins, in a state.
        case start(ApplicationState)
        /// The app is called, and sees itself in a state.
        case call(Call, ApplicationState)
        /// The response or the piece of work that brought the event is handed over here.
        case handOver(ApplicationState)
        /// The process is gone.
        case end
        /// Everything it kept is gone.
        case erase
    }

    /// Where the app is.
    public private(set) var state = AppState.notInstalled
    /// Why it has no process, for an app that has none.
    public private(set) var lastEnd = EndReason.neverLaunched

    /// Makes an app that is not on the phone.
    public init() {}

    /// Takes an event.
    ///
    /// - Returns: what follows; nil when the event cannot happen in this state, which then stays.
    public mutating func handle(_ event: Event) -> [Step]? {
        if state == .notInstalled {
            guard event == .installed else { return nil }
            state = .notRunning
            lastEnd = .neverLaunched
            return []
        }
        switch event {
        case .installed: return nil
        case .uninstalled:
            let steps = ended()
            state = .notInstalled
            return steps + [.erase]
        case .opened: return opened()
        case .woken(let byUser): return woken(byUser: byUser)
        case .left: return left()
        case .covered:
            guard state == .active else { return nil }
            state = .inactive
            return [.call(.willResignActive, .active)]
        case .uncovered:
            guard state == .inactive else { return nil }
            state = .active
            return [.call(.didBecomeActive, .active)]
        case .suspended:
            guard state == .background else { return nil }
            state = .suspended
            return []
        case .terminated: return end(.system, isTold: state == .background)
        case .forceQuit: return forceQuit()
        case .crashed: return end(.crash, isTold: false)
        case .rebooted: return rebooted()
        }
    }

    private mutating func opened() -> [Step] {
        defer { state = .active }
        switch state {
        case .active: return [.handOver(.active)]
        case .inactive: return [.handOver(.inactive), .call(.didBecomeActive, .active)]
        case .background, .suspended:
            return [
                .call(.willEnterForeground, .background), .handOver(.inactive),
                .call(.didBecomeActive, .active),
            ]
        case .notRunning, .notInstalled:
            return [
                .start(.inactive), .call(.didFinishLaunching, .inactive), .handOver(.inactive),
                .call(.didBecomeActive, .active),
            ]
        }
    }

    private mutating func woken(byUser: Bool) -> [Step]? {
        switch state {
        case .active: return [.handOver(.active)]
        case .inactive: return [.handOver(.inactive)]
        case .background, .suspended:
            state = .background
            return [.handOver(.background)]
        case .notRunning, .notInstalled:
            guard byUser || lastEnd != .forceQuit else { return nil }
            state = .background
            return [.start(.background), .call(.didFinishLaunching, .background), .handOver(.background)]
        }
    }

    private mutating func left() -> [Step]? {
        switch state {
        case .active:
            state = .background
            return [.call(.willResignActive, .active), .call(.didEnterBackground, .background)]
        case .inactive:
            state = .background
            return [.call(.didEnterBackground, .background)]
        default: return nil
        }
    }

    private mutating func forceQuit() -> [Step]? {
        guard state.isRunning else { return nil }
        let leaving = left() ?? []
        // A suspended app cannot be told.
        return leaving + (end(.forceQuit, isTold: state == .background) ?? [])
    }

    /// A phone that starts again forgets which apps were swiped away (Apple: they are started again after a restart).
    private mutating func rebooted() -> [Step] {
        let steps = end(.reboot, isTold: false) ?? []
        if lastEnd == .forceQuit { lastEnd = .reboot }
        return steps
    }

    private mutating func end(_ reason: EndReason, isTold: Bool) -> [Step]? {
        guard state.isRunning else { return nil }
        state = .notRunning
        lastEnd = reason
        return (isTold ? [.call(.willTerminate, .background)] : []) + [.end]
    }

    private func ended() -> [Step] { state.isRunning ? [.end] : [] }
}
