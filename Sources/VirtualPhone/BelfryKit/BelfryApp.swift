public import BelfryKit
public import Foundation

/// An app whose delegate forwards everything to its `Belfry`, as an app delegate on iOS does.
///
///     final class NotesApp: BelfryApp {
///         static let manifest = AppManifest(bundleIdentifier: "com.example.Notes", name: "Notes")
///         var belfry: Belfry?
///
///         func makeBelfry(_ application: Application) -> Belfry {
///             Belfry(service: nil, application: application)
///         }
///     }
///
/// A function that the app writes itself takes the place of the one here, and has to forward what it is told.
@MainActor
public protocol BelfryApp: PhoneApp {
    /// The notification part, from the launch on.
    var belfry: Belfry? { get set }

    /// Makes the notification part while the app launches, with handlers attached; it is started afterwards.
    func makeBelfry(_ application: Application) -> Belfry
}

extension BelfryApp {
    /// Makes the notification part and starts it.
    public func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
    ) async -> Bool {
        let belfry = makeBelfry(application)
        self.belfry = belfry
        belfry.start(LaunchCause(launchOptions, of: application))
        waitForWork(in: application)
        return true
    }

    /// Forwards.
    public func applicationWillEnterForeground(_ application: Application) async {
        belfry?.applicationWillEnterForeground()
    }

    /// Forwards.
    public func applicationDidBecomeActive(_ application: Application) async {
        belfry?.applicationDidBecomeActive()
        waitForWork(in: application)
    }

    /// Forwards.
    public func applicationWillResignActive(_ application: Application) async {
        belfry?.applicationWillResignActive()
    }

    /// Forwards.
    public func applicationDidEnterBackground(_ application: Application) async {
        belfry?.applicationDidEnterBackground()
    }

    /// Forwards.
    public func application(
        _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) async {
        belfry?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken)
        waitForWork(in: application)
    }

    /// Forwards.
    public func application(
        _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) async {
        belfry?.didFailToRegisterForRemoteNotifications(withError: error)
    }

    /// Forwards.
    public func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> BackgroundFetchResult {
        guard let belfry else { return .noData }
        return BackgroundFetchResult(await belfry.didReceiveRemoteNotification(userInfo))
    }

    /// Forwards.
    public func applicationPerformBackgroundRefresh(_ application: Application) async {
        await belfry?.applicationPerformBackgroundRefresh()
    }

    /// Lets whoever wants the phone at rest wait for what the library does after a callback, on threads of its own.
    private func waitForWork(in application: Application) {
        guard let belfry else { return }
        application.keepBusy { await belfry.settleWork() }
    }
}
