/// What the app and the device are doing when a notification arrives.
public struct NotificationSurroundings: Hashable, Sendable {
    /// Whether the app is in front of the user, so that its delegate decides.
    public var isForeground: Bool
    /// Whether a Focus holds back what is not time-sensitive.
    public var isFocused: Bool
    /// Whether the ring switch is off.
    public var isMuted: Bool
    /// Whether the app is allowed time-sensitive notifications by its entitlements.
    public var isTimeSensitiveEntitled: Bool
    /// Whether the app is allowed critical alerts by its entitlements.
    public var isCriticalEntitled: Bool

    /// Makes surroundings; by default of an app in the background and a device that holds nothing back.
    public init(
        isForeground: Bool = false, isFocused: Bool = false, isMuted: Bool = false,
        isTimeSensitiveEntitled: Bool = true, isCriticalEntitled: Bool = false
    ) {
        self.isForeground = isForeground
        self.isFocused = isFocused
        self.isMuted = isMuted
        self.isTimeSensitiveEntitled = isTimeSensitiveEntitled
        self.isCriticalEntitled = isCriticalEntitled
    }
}
