internal import Foundation
internal import Recurrence
internal import Synchronization

/// Which centre the code that runs belongs to.
enum NotificationScope {
    /// Set while a centre calls the app, and by `UNUserNotificationCenter.withCurrent`.
    @TaskLocal static var center: UNUserNotificationCenter?

    /// The centre of the process, when there is one.
    private static let installed = Mutex<UNUserNotificationCenter?>(nil)

    static func install(_ center: UNUserNotificationCenter?) {
        installed.withLock { $0 = center }
    }

    /// The centre of the task, else of the process; nil when none was made yet.
    static var existing: UNUserNotificationCenter? { center ?? installed.withLock { $0 } }

    /// The centre of the task, else of the process, which is made when it is first asked for.
    static var current: UNUserNotificationCenter {
        if let center { return center }
        return installed.withLock { installed in
            if let installed { return installed }
            let made = UNUserNotificationCenter(host: SystemHost.ofThisProgram())
            installed = made
            return made
        }
    }

    /// What triggers outside any centre are computed with: the machine's clock and zone.
    static var context: TriggerContext {
        existing?.service.context ?? TriggerContext(now: SystemClock.now, zone: SystemClock.zone)
    }

    static func localized(_ key: String) -> String? {
        if let host = existing?.service.host { return host.localizedString(forKey: key) }
        return AppStrings.localizedString(forKey: key)
    }

    /// The app did what raises an exception in Apple's framework.
    static func misuse(_ message: String) {
        guard let host = existing?.service.host, host.policy.misuse == .record else {
            preconditionFailure(message)
        }
        host.diagnose(message)
    }
}
