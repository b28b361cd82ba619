#if canImport(UIKit)
internal import BelfryKit
public import UIKit

/// The app on iOS.
public final class TodoAppDelegate: UIResponder, UIApplicationDelegate {
    /// The list.
    public private(set) var list: TodoList?
    private var belfry: Belfry?

    /// Makes reminders, notification part and list.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let reminders = Reminders()
        let belfry = Belfry(service: nil, hooks: Belfry.Hooks(reminders: reminders))
        list = TodoList(
            belfry: belfry, reminders: reminders, storage: UserDefaultsStorage(), time: SystemTime())
        belfry.application(application, didFinishLaunchingWithOptions: launchOptions)
        self.belfry = belfry
        return true
    }
}
#endif
