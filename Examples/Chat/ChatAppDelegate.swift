#if canImport(UIKit)
internal import BelfryKit
public import Foundation
public import UIKit

/// The app on iOS.
public final class ChatAppDelegate: UIResponder, UIApplicationDelegate {
    /// The app's model.
    public private(set) var inbox: ChatInbox?
    private var belfry: Belfry?

    /// Makes notification part and model.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        guard let url = URL(string: "https://push.example.com") else { return false }
        let service = PushServiceAddress(url: url, applicationID: "chat", applicationKey: "the app key")
        let belfry = Belfry(service: service)
        inbox = ChatInbox(
            belfry: belfry,
            // Where the chat's own server is asked; an example has none.
            send: { _, _ in false }, fetchMissed: { [] })
        belfry.application(application, didFinishLaunchingWithOptions: launchOptions)
        self.belfry = belfry
        return true
    }

    /// Forwards.
    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        belfry?.application(application, didRegisterForRemoteNotificationsWithDeviceToken: deviceToken)
    }

    /// Forwards.
    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        belfry?.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
    }

    /// Forwards.
    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        await belfry?.application(application, didReceiveRemoteNotification: userInfo) ?? .noData
    }
}
#endif
