/// Where an app is in its life, as the phone sees it.
public enum AppState: String, CaseIterable, Hashable, Sendable, Codable {
    /// It is not on the phone.
    case notInstalled = "not-installed"
    /// It has no process; why, says ``AppLifecycle/lastEnd``.
    case notRunning = "not-running"
    /// In front, and touches reach it.
    case active
    /// In front, with something over it.
    case inactive
    /// Not in front, and its code runs.
    case background
    /// In memory, and its code does not run.
    case suspended

    /// Whether there is a process.
    public var isRunning: Bool { self != .notInstalled && self != .notRunning }
    /// Whether it is in front of the user.
    public var isForeground: Bool { self == .active || self == .inactive }
}

/// Why an app has no process.
public enum EndReason: String, CaseIterable, Hashable, Sendable, Codable {
    /// It was never opened since it was installed.
    case neverLaunched = "never-launched"
    /// The system needed its memory, or it used up its time.
    case system
    /// The user swiped it away: it is not started in the background until the user opens it or restarts the phone.
    case forceQuit = "force-quit"
    /// It crashed.
    case crash
    /// The phone was restarted.
    case reboot
}
