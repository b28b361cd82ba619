internal import APNs
public import BelfryKit
public import Recurrence

/// The system around an app on a simulated phone, for the app library; on iOS `UIKitPlatform` has its place.
public struct PhonePlatform: ApplicationPlatform {
    private let application: Application

    /// Makes the platform of an app.
    public init(_ application: Application) { self.application = application }

    /// What the bundle says.
    public var bundleIdentifier: String { application.manifest.bundleIdentifier }
    /// What the bundle says.
    public var applicationVersion: String? { application.manifest.version }
    /// The phone's language.
    public var language: String? { application.language }
    /// What the push service calls iPhones.
    public var deviceType: String { "ios" }
    /// Another one after the app was deleted, and on a phone that a backup was restored to.
    public var deviceIdentifier: String? { application.identifierForVendor }
    /// What the entitlement says.
    public var pushEnvironment: PushEnvironment? {
        switch application.manifest.apsEnvironment {
        case .production: .production
        case .sandbox: .sandbox
        case nil: nil
        }
    }

    /// What the app is doing.
    @MainActor public var phase: ApplicationPhase {
        switch application.applicationState {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }

    /// The number on the icon.
    @MainActor public var badgeCount: Int { application.applicationIconBadgeNumber }

    /// Sets the number on the icon; a number below 0 takes it away and leaves the list.
    @MainActor public func showBadge(_ count: Int) {
        application.applicationIconBadgeNumber = count > 0 ? count : -1
    }

    /// Asks the phone for a device token.
    @MainActor public func registerForRemoteNotifications() { application.registerForRemoteNotifications() }

    /// Gives up remote notifications.
    @MainActor public func unregisterForRemoteNotifications() {
        application.unregisterForRemoteNotifications()
    }

    /// Leads the user to the app's page in Settings.
    @MainActor public func openNotificationSettings() async -> Bool {
        application.openNotificationSettings()
        return true
    }

    /// Asks for time in the background.
    @MainActor public func beginBackgroundTask(named name: String) -> @MainActor @Sendable () -> Void {
        let (application, number) = (application, application.beginBackgroundTask())
        return { application.endBackgroundTask(number) }
    }

    /// Waits by the phone's clock.
    public func wait(until instant: Instant) async { await application.wait(until: instant) }
}
