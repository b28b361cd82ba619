internal import Foundation
public import UserNotifications

/// The app's notification categories, from all its parts.
///
/// The system knows only how to replace all categories at once, so that one part of an app wipes out those of another.
/// Here each part registers its own, and what others set directly stays, too.
///
/// Safe from any thread.
///
/// Sendable: a centre may be used on any thread (Apple: UNUserNotificationCenter), categories never change after they
/// were made, and the dictionary is behind a lock.
public final class CategoryRegistry: @unchecked Sendable {
    private let center: UNUserNotificationCenter
    private let lock = NSLock()
    private var categories: [String: UNNotificationCategory] = [:]

    init(center: UNUserNotificationCenter) {
        self.center = center
    }

    /// Registers categories beside those there are, in place of those of the same identifier.
    ///
    /// - Throws: `invalidArgument` when an action's identifier belongs to an action of another category with another
    ///   title: the app could not tell them apart. Nothing is registered then.
    public func register(_ new: Set<UNNotificationCategory>) throws(BelfryKitError) {
        lock.lock()
        var merged = categories
        for category in new { merged[category.identifier] = category }
        let clash = Self.clash(in: merged.values)
        if clash == nil { categories = merged }
        lock.unlock()
        if let clash { throw clash }
        restore()
    }

    /// Brings back what another part of the app may have replaced; the front object calls it at each activation.
    public func restore() {
        center.getNotificationCategories { [self] existing in
            // Read here and not before: of two calls at a time, the one that sets last has the categories of both.
            lock.lock()
            let own = categories
            lock.unlock()
            guard !own.isEmpty else { return }
            let foreign = existing.filter { own[$0.identifier] == nil }
            let merged = foreign.union(own.values)
            if merged != existing { center.setNotificationCategories(merged) }
        }
    }

    private static func clash(in categories: some Sequence<UNNotificationCategory>) -> BelfryKitError? {
        var titles: [String: String] = [:]
        for category in categories.sorted(by: { $0.identifier < $1.identifier }) {
            for action in category.actions {
                if let title = titles[action.identifier], title != action.title {
                    return BelfryKitError(
                        code: .invalidArgument,
                        message: "action '\(action.identifier)': found '\(title)' and '\(action.title)' in "
                            + "category '\(category.identifier)'; allowed: one meaning in the whole app")
                }
                titles[action.identifier] = action.title
            }
        }
        return nil
    }
}
