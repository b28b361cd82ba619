#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import Foundation
public import UIKit
internal import UserNotifications

/// The app delegate's functions, as UIKit calls them.
extension Belfry {
    /// Makes the notification part of an iOS app, on the app's own centre.
    ///
    /// - Parameters:
    ///   - service: the push service; nil for an app that has reminders only.
    ///   - applicationGroup: the group that the app shares with its extensions; nil for an app without any.
    ///   - reportsReceipts: whether the push service is told of each push that reaches the app.
    ///   - badgePolicy: what decides about the number on the icon.
    ///   - hooks: what the app does for the library.
    @MainActor public convenience init(
        service: PushServiceAddress?, applicationGroup: String? = nil, reportsReceipts: Bool = false,
        badgePolicy: BadgePolicy = .manual, hooks: Hooks = Hooks()
    ) {
        self.init(
            service: service, center: .current(), platform: UIKitPlatform(), transport: URLSessionTransport(),
            storage: UserDefaultsStorage(),
            sharedStorage: applicationGroup.flatMap { UserDefaultsStorage(applicationGroup: $0) },
            reportsReceipts: reportsReceipts, badgePolicy: badgePolicy, hooks: hooks)
    }

    /// The app finishes launching.
    ///
    /// From now on the app's comings and goings are noticed without being forwarded.
    @MainActor public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) {
        observeLifecycle(of: application)
        start(LaunchCause(launchOptions))
    }

    /// The system gave a device token.
    @MainActor public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        didRegisterForRemoteNotifications(withDeviceToken: deviceToken)
    }

    /// The system gave no device token.
    @MainActor public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        didFailToRegisterForRemoteNotifications(withError: error)
    }

    /// A remote notification for the app itself came.
    @MainActor public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        switch await didReceiveRemoteNotification(userInfo) {
        case .newData: .newData
        case .noData: .noData
        case .failed: .failed
        }
    }

    @MainActor private func observeLifecycle(of application: UIApplication) {
        let observations: [(Notification.Name, @Sendable (Belfry) -> Void)] = [
            (UIApplication.willEnterForegroundNotification, { $0.applicationWillEnterForeground() }),
            (UIApplication.didBecomeActiveNotification, { $0.applicationDidBecomeActive() }),
            (UIApplication.willResignActiveNotification, { $0.applicationWillResignActive() }),
            (UIApplication.didEnterBackgroundNotification, { $0.applicationDidEnterBackground() }),
        ]
        for (name, act) in observations {
            // Observed as long as the app runs, as the app's one notification part lives.
            _ = NotificationCenter.default.addObserver(forName: name, object: application, queue: .main) {
                [weak self] _ in
                if let self { act(self) }
            }
        }
    }
}

extension Reminders {
    /// Makes the reminders of an iOS app, on the app's own centre and kept in its user defaults.
    ///
    /// - Parameters:
    ///   - openApp: what the last slot says when reminders run dry because the app was not opened; nil for nothing.
    ///   - whenFull: what happens when there are more reminders than slots.
    public init(openApp: ReminderContent? = nil, whenFull: FullPolicy = .report) {
        self.init(
            center: .current(), storage: UserDefaultsStorage(), time: SystemTime(), openApp: openApp,
            whenFull: whenFull)
    }
}

extension LaunchCause {
    /// Reads the launch options.
    public init(_ options: [UIApplication.LaunchOptionsKey: Any]?) {
        guard let options, !options.isEmpty else {
            self = .plain
            return
        }
        if let payload = options[.remoteNotification] as? [AnyHashable: Any] {
            self = .remoteNotification(ReceivedNotification(payload: payload, date: SystemTime().now))
        } else if options[.localNotification] != nil {
            self = .localNotification
        } else {
            self = .other
        }
    }
}
#endif
