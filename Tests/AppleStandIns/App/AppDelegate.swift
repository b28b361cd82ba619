// An iOS app that uses BelfryKit, as its documentation shows it; type-checked, never run.
import BelfryKit
import Foundation
import UIKit
import UserNotifications

@MainActor final class AppDelegate: UIResponder {
    private var belfry: Belfry?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let url = URL(string: "https://push.example.org") else { return false }
        let belfry = Belfry(
            service: PushServiceAddress(url: url, applicationID: "id", applicationKey: "key"),
            applicationGroup: "group.org.example.app")
        belfry.onEvent { event in
            if case .opened(let notification, _) = event, let link = notification.link {
                _ = await UIApplication.shared.open(link)
            }
        }
        belfry.onPresent { notification in notification.thread == "open chat" ? .quiet : .full }
        belfry.application(application, didFinishLaunchingWithOptions: launchOptions)
        self.belfry = belfry
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        belfry?.application(application, didRegisterForRemoteNotificationsWithDeviceToken: deviceToken)
    }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        belfry?.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        await belfry?.application(application, didReceiveRemoteNotification: userInfo) ?? .noData
    }

    func askInContext() async throws {
        _ = try await belfry?.permission.request { true }
    }
}
