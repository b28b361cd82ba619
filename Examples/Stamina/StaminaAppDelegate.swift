#if canImport(UIKit)
internal import BelfryKit
public import UIKit

/// The game on iOS.
public final class StaminaAppDelegate: UIResponder, UIApplicationDelegate {
    /// The bar.
    public private(set) var bar: StaminaBar?
    private var belfry: Belfry?

    /// Makes reminders, notification part and bar.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let reminders = Reminders()
        let belfry = Belfry(service: nil, hooks: Belfry.Hooks(reminders: reminders))
        bar = StaminaBar(
            belfry: belfry, reminders: reminders, storage: UserDefaultsStorage(), time: SystemTime()
        ) {
            // Where the game shows its own question; an example has no screens.
            true
        }
        belfry.application(application, didFinishLaunchingWithOptions: launchOptions)
        self.belfry = belfry
        return true
    }
}
#endif
