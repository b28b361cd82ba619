internal import Foundation
internal import UserNotifications

/// A call of an app with what it carries.
enum AppCallback: Sendable {
    case lifecycle(AppLifecycle.Call, LaunchOptions)
    case didRegister(Data)
    case didFailToRegister(RegistrationError)
    case didReceiveRemoteNotification(RequestRecord)
    case backgroundRefresh

    /// The word of a journal.
    var name: String {
        switch self {
        case .lifecycle(let call, _): call.rawValue
        case .didRegister: "didRegisterForRemoteNotifications"
        case .didFailToRegister: "didFailToRegisterForRemoteNotifications"
        case .didReceiveRemoteNotification: "didReceiveRemoteNotification"
        case .backgroundRefresh: "performBackgroundRefresh"
        }
    }

    /// Calls the app; returns when it is done.
    @MainActor
    func run(_ app: any PhoneApp, _ application: Application) async -> BackgroundFetchResult? {
        switch self {
        case .lifecycle(let call, let options):
            await Self.run(call, options, app, application)
        case .didRegister(let token):
            await app.application(application, didRegisterForRemoteNotificationsWithDeviceToken: token)
        case .didFailToRegister(let error):
            await app.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
        case .didReceiveRemoteNotification(let request):
            return await app.application(
                application, didReceiveRemoteNotification: UserInfo.dictionary(of: request))
        case .backgroundRefresh: await app.applicationPerformBackgroundRefresh(application)
        }
        return nil
    }

    @MainActor
    private static func run(
        _ call: AppLifecycle.Call, _ options: LaunchOptions, _ app: any PhoneApp, _ application: Application
    ) async {
        switch call {
        case .didFinishLaunching:
            _ = await app.application(application, didFinishLaunchingWithOptions: options)
        case .willEnterForeground: await app.applicationWillEnterForeground(application)
        case .didBecomeActive: await app.applicationDidBecomeActive(application)
        case .willResignActive: await app.applicationWillResignActive(application)
        case .didEnterBackground: await app.applicationDidEnterBackground(application)
        case .willTerminate: await app.applicationWillTerminate(application)
        }
    }
}
