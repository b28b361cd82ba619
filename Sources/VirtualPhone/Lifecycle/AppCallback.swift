internal import Foundation
internal import UserNotifications

/// A call of an app with what it carries.
enum AppCallback: Sendable {
    case lifecycle(AppLifecycle.Call, LaunchOptions)
    case didRegister(Data)
    case didFailToRegister(RegistrationError)
    case didReceiveRemoteNotification(RequestRecord)
    case backgroundRefresh
    case didUpdateActivityStartToken(Data)
    case didUpdateActivityToken(Data, String)
    case didUpdateVoIPToken(Data)
    case didReceiveIncomingPush(RequestRecord)

    /// The word of a journal.
    var name: String {
        switch self {
        case .lifecycle(let call, _): call.rawValue
        case .didRegister: "didRegisterForRemoteNotifications"
        case .didFailToRegister: "didFailToRegisterForRemoteNotifications"
        case .didReceiveRemoteNotification: "didReceiveRemoteNotification"
        case .backgroundRefresh: "performBackgroundRefresh"
        case .didUpdateActivityStartToken: "didUpdateLiveActivityStartToken"
        case .didUpdateActivityToken: "didUpdateTokenOfLiveActivity"
        case .didUpdateVoIPToken: "pushRegistry didUpdate"
        case .didReceiveIncomingPush: "pushRegistry didReceiveIncomingPush"
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
        case .didUpdateActivityStartToken(let token):
            await app.application(application, didUpdateLiveActivityStartToken: token)
        case .didUpdateActivityToken(let token, let identifier):
            await app.application(application, didUpdateToken: token, ofLiveActivity: identifier)
        case .didUpdateVoIPToken(let token): application.pushRegistry?.take(token: token)
        case .didReceiveIncomingPush(let request):
            await application.pushRegistry?.receive(UserInfo.dictionary(of: request))
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
