public import Foundation

/// An app that can be put on a ``VirtualPhone``: its delegate, with the names of `UIApplicationDelegate`.
///
/// Every start makes a new object, as a process has its own. Every function is optional, and may be written with or
/// without `async`. They are called on the main actor; what comes before the first suspension runs before anything
/// else happens on the phone. `UNUserNotificationCenter.current()` gives the app's own centre inside them, and in the
/// tasks they make.
///
///     final class NewsApp: PhoneApp {
///         static let manifest = AppManifest(bundleIdentifier: "com.example.News", name: "News")
///
///         func application(
///             _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
///         ) -> Bool {
///             UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
///             application.registerForRemoteNotifications()
///             return true
///         }
///     }
@MainActor
public protocol PhoneApp: AnyObject {
    /// What the bundle says.
    nonisolated static var manifest: AppManifest { get }

    /// A process begins.
    init()

    /// The app was started. Set the notification centre's delegate here: it is told of the tap right afterwards.
    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
    ) async -> Bool
    /// The app comes back to the front.
    func applicationWillEnterForeground(_ application: Application) async
    /// The app is in front and the user's touches reach it.
    func applicationDidBecomeActive(_ application: Application) async
    /// Something comes over the app, or it leaves.
    func applicationWillResignActive(_ application: Application) async
    /// The app is no longer in front, and has some seconds until it is suspended.
    func applicationDidEnterBackground(_ application: Application) async
    /// The process ends; not called for a suspended app, nor in a crash.
    func applicationWillTerminate(_ application: Application) async

    /// The app has a device token, the same as last time or another.
    func application(
        _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) async
    /// The app gets no device token now; the error is a ``RegistrationError``.
    func application(
        _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) async
    /// The app has the token with which pushes start Live Activities, perhaps another one than before.
    func application(_ application: Application, didUpdateLiveActivityStartToken token: Data) async
    /// A Live Activity has the token of its updates, perhaps another one than before; for an activity that a push has
    /// started the app is woken in the background to hear of it.
    func application(
        _ application: Application, didUpdateToken token: Data, ofLiveActivity identifier: String
    ) async
    /// A remote notification that the app works on: with `content-available`, or in front without a delegate of the
    /// notification centre. In the background the app is terminated unless it is done in 30 s.
    func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> BackgroundFetchResult
    /// The same, with a completion handler that has to be called.
    func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (BackgroundFetchResult) -> Void)
    /// The older spelling, called in front only, and only without the other two.
    func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any])
    /// The time that the app asked for with `submitBackgroundRefresh` has come (`BGAppRefreshTask`); 30 s.
    func applicationPerformBackgroundRefresh(_ application: Application) async
}

extension PhoneApp {
    /// Goes on.
    public func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
    ) async -> Bool { true }
    /// Does nothing.
    public func applicationWillEnterForeground(_ application: Application) async {}
    /// Does nothing.
    public func applicationDidBecomeActive(_ application: Application) async {}
    /// Does nothing.
    public func applicationWillResignActive(_ application: Application) async {}
    /// Does nothing.
    public func applicationDidEnterBackground(_ application: Application) async {}
    /// Does nothing.
    public func applicationWillTerminate(_ application: Application) async {}
    /// Does nothing.
    public func application(
        _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) async {}
    /// Does nothing.
    public func application(
        _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) async {}

    /// Does nothing.
    public func application(_ application: Application, didUpdateLiveActivityStartToken token: Data) async {}
    /// Does nothing.
    public func application(
        _ application: Application, didUpdateToken token: Data, ofLiveActivity identifier: String
    ) async {}

    /// Calls the spelling with a completion handler, whose default calls the older one.
    public func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> BackgroundFetchResult {
        await withCheckedContinuation { continuation in
            let answer = FetchAnswer(continuation, in: application)
            self.application(application, didReceiveRemoteNotification: userInfo) { answer.call($0) }
        }
    }
    /// Calls the older spelling where iOS does.
    public func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (BackgroundFetchResult) -> Void
    ) {
        if application.applicationState != .background {
            self.application(application, didReceiveRemoteNotification: userInfo)
        }
        completionHandler(.noData)
    }
    /// Does nothing.
    public func application(
        _ application: Application, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) {}
    /// Does nothing.
    public func applicationPerformBackgroundRefresh(_ application: Application) async {}
}
