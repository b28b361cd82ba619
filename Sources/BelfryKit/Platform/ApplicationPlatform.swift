public import Recurrence

/// What the app library needs of the system around the app: on iOS UIKit, elsewhere whoever runs the app.
///
/// On iOS the value is `UIKitPlatform`. Properties without an actor are read on any thread and do not change while the
/// process lives.
public protocol ApplicationPlatform: Sendable {
    /// The app's bundle identifier, which APNs calls its topic.
    var bundleIdentifier: String { get }
    /// The version that users see; nil when the bundle has none.
    var applicationVersion: String? { get }
    /// The user's first language as a BCP 47 tag, such as `zh-Hans-CN`; nil when unknown.
    var language: String? { get }
    /// What the push service calls the kind of device, such as `ios`.
    var deviceType: String { get }
    /// What stands for this device, and for no other after a backup was restored there; nil when there is nothing.
    var deviceIdentifier: String? { get }
    /// The APNs environment the app was signed for; nil when it cannot be told.
    var pushEnvironment: PushEnvironment? { get }

    /// What the app is doing.
    @MainActor var phase: ApplicationPhase { get }
    /// The number on the app's icon; 0 without one.
    @MainActor var badgeCount: Int { get }
    /// Sets the number on the app's icon, 0 for none; what is in the list stays there, also for 0.
    @MainActor func showBadge(_ count: Int)
    /// Asks the system for a device token; the answer comes through the app delegate.
    @MainActor func registerForRemoteNotifications()
    /// Gives up remote notifications until the next registration.
    @MainActor func unregisterForRemoteNotifications()
    /// Opens the app's page in Settings, that of notifications where the system has one.
    ///
    /// - Returns: whether it opened.
    @MainActor func openNotificationSettings() async -> Bool
    /// Asks for time to finish something although the app goes to the background.
    ///
    /// - Returns: what ends that time; to be called once. The system may end it earlier.
    @MainActor func beginBackgroundTask(named name: String) -> @MainActor @Sendable () -> Void
    /// Returns when a moment has come by the device's clock, or the task is cancelled.
    func wait(until instant: Instant) async
}
