#if canImport(UIKit)
internal import BelfryKit
public import Foundation
public import UIKit

/// The app on iOS.
public final class NewsAppDelegate: UIResponder, UIApplicationDelegate {
    /// The app's model.
    public private(set) var reader: NewsReader?
    private var belfry: Belfry?

    /// Makes notification part and model.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        guard let url = URL(string: "https://push.example.com") else { return false }
        let belfry = Belfry(
            service: PushServiceAddress(url: url, applicationID: "news", applicationKey: "the app key"))
        reader = NewsReader(belfry: belfry)
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
