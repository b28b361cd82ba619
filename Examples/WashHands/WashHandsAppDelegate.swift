#if canImport(UIKit)
internal import BelfryKit
public import UIKit

/// The app on iOS.
public final class WashHandsAppDelegate: UIResponder, UIApplicationDelegate {
    /// The model of the settings screen.
    public private(set) var screen: WashHandsScreen?
    private var belfry: Belfry?

    /// Makes reminders, notification part and screen.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let reminders = Reminders()
        let belfry = Belfry(service: nil, hooks: Belfry.Hooks(reminders: reminders))
        screen = WashHandsScreen(belfry: belfry, reminders: reminders, storage: UserDefaultsStorage())
        belfry.application(application, didFinishLaunchingWithOptions: launchOptions)
        self.belfry = belfry
        return true
    }
}
#endif
