/// The switch "notifications" of an app's own settings screen, which tells the truth.
///
/// Two have a say: the user in the app, and the system's settings.
public struct PushSwitch: Hashable, Sendable {
    /// Who keeps notifications off.
    public enum Blocker: String, Sendable, Hashable, CaseIterable {
        /// The user's own choice in the app.
        case wish
        /// The system has not asked yet: asking may help.
        case notAsked
        /// The system's settings: only the user can change them, in Settings.
        case system
    }

    /// What the user chose in the app.
    public var isWanted: Bool
    /// What the system allows.
    public var permission: NotificationPermission

    /// Makes a switch.
    public init(isWanted: Bool, permission: NotificationPermission) {
        self.isWanted = isWanted
        self.permission = permission
    }

    /// Whether notifications really come.
    public var isOn: Bool { blocker == nil }

    /// What to offer when they do not; nil when they do.
    public var blocker: Blocker? {
        if !isWanted { return .wish }
        switch permission.status {
        case .notDetermined: return .notAsked
        case .denied: return .system
        case .authorized, .provisional, .ephemeral: return nil
        }
    }
}
