#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
internal import Foundation
public import Recurrence
internal import UIKit

/// The system around an app on iOS.
public struct UIKitPlatform: ApplicationPlatform {
    private let vendorIdentifier: String?

    /// Makes the platform.
    @MainActor public init() {
        vendorIdentifier = UIDevice.current.identifierForVendor?.uuidString
    }

    /// The identifier of the main bundle.
    public var bundleIdentifier: String { Bundle.main.bundleIdentifier ?? "" }

    /// `CFBundleShortVersionString`.
    public var applicationVersion: String? {
        Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
    }

    /// The first of the user's languages.
    public var language: String? { Locale.preferredLanguages.first }

    /// What the push service calls iPhones and iPads.
    public var deviceType: String { "ios" }

    /// The identifier for the vendor, which is another one on a device that a backup was restored to.
    public var deviceIdentifier: String? { vendorIdentifier }

    /// What the embedded profile says.
    ///
    /// A build of the store has none and is for production.
    public var pushEnvironment: PushEnvironment? {
        #if targetEnvironment(simulator)
        return .sandbox
        #else
        guard let path = Bundle.main.path(forResource: "embedded", ofType: "mobileprovision") else {
            return .production
        }
        guard let profile = FileManager.default.contents(atPath: path) else { return nil }
        return PushEnvironment(provisioningProfile: [UInt8](profile))
        #endif
    }

    /// What the app is doing.
    @MainActor public var phase: ApplicationPhase {
        switch UIApplication.shared.applicationState {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        @unknown default: .inactive
        }
    }

    /// The number on the app's icon.
    @MainActor public var badgeCount: Int { UIApplication.shared.applicationIconBadgeNumber }

    /// Sets the number on the app's icon.
    ///
    /// With the older property, since of 0 it is known what becomes of the list: it is emptied, and by a number below 0 it
    /// is not.
    @MainActor public func showBadge(_ count: Int) {
        UIApplication.shared.applicationIconBadgeNumber = count > 0 ? count : -1
    }

    /// Asks the system for a device token.
    @MainActor public func registerForRemoteNotifications() {
        UIApplication.shared.registerForRemoteNotifications()
    }

    /// Gives up remote notifications.
    @MainActor public func unregisterForRemoteNotifications() {
        UIApplication.shared.unregisterForRemoteNotifications()
    }

    /// Opens the app's notification settings, before iOS 16 the app's page.
    @MainActor public func openNotificationSettings() async -> Bool {
        let address: String
        if #available(iOS 16, *) {
            address = UIApplication.openNotificationSettingsURLString
        } else {
            address = UIApplication.openSettingsURLString
        }
        guard let url = URL(string: address) else { return false }
        return await UIApplication.shared.open(url)
    }

    /// Asks for time in the background; when the system ends it, it is given back.
    @MainActor public func beginBackgroundTask(named name: String) -> @MainActor @Sendable () -> Void {
        let task = BackgroundTime()
        task.identifier = UIApplication.shared.beginBackgroundTask(withName: name) { task.end() }
        return { task.end() }
    }

    /// Waits; a device that sleeps waits longer.
    public func wait(until instant: Instant) async {
        while !Task.isCancelled {
            let milliseconds = instant.millisecondsSince1970 - SystemTime().now.millisecondsSince1970
            guard milliseconds > 0 else { return }
            // In steps, so that a clock that was set is noticed.
            try? await Task.sleep(nanoseconds: UInt64(min(milliseconds, 60_000)) * 1_000_000)
        }
    }

    /// One stretch of time in the background; ends once.
    @MainActor private final class BackgroundTime {
        var identifier = UIBackgroundTaskIdentifier.invalid

        func end() {
            guard identifier != .invalid else { return }
            UIApplication.shared.endBackgroundTask(identifier)
            identifier = .invalid
        }
    }
}
#endif
