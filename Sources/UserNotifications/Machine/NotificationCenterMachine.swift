package import Recurrence

/// A notification centre without clock, screen and storage: events in, actions out.
///
///     add ──▶ pending ──(due)──▶ ask (foreground) ──▶ show ──▶ delivered ──▶ response
///                │                                              │
///                └──(removed, replaced, no room)                └──(removed, replaced, dismissed)
///
/// Each mutating function is an event. Moments, zone, calendar and policies come in as a ``TriggerContext``.
package struct NotificationCenterMachine: Sendable {
    package internal(set) var state: NotificationState
    /// Delivered, and waiting for the app to say how to present it.
    var asked: [NotificationRecord] = []
    /// Identifiers of what is in the list, so that a new one need not be compared with all of it.
    private var deliveredIdentifiers: Set<String>

    /// How many delivered notifications are kept; the oldest go first.
    package static let deliveredCountMax = 1000
    /// How many missed times of one repeating request are made up for.
    package static let missedCountMax = 64
    /// A date that is found this much later was missed; a running host finds it within its timer's period.
    package static let missedAfterMilliseconds: Int64 = 120_000

    package init(state: NotificationState = NotificationState()) {
        self.state = state
        deliveredIdentifiers = Set(state.delivered.map(\.identifier))
    }

    /// When `fire` has something to do next.
    package var nextWake: Instant? {
        state.pending.values.compactMap(\.nextMilliseconds).min().map {
            Instant(millisecondsSince1970: $0)
        }
    }

    /// Pending requests in the order of their addition.
    package var pending: [PendingRecord] {
        state.pending.values.sorted { $0.sequence < $1.sequence }
    }

    // MARK: Categories

    /// Replaces all categories.
    package mutating func setCategories(_ categories: [CategoryRecord]) -> [NotificationCenterAction] {
        state.categories = Dictionary(categories.map { ($0.identifier, $0) }) { first, _ in first }
        var owners: [String: String] = [:]
        var actions: [NotificationCenterAction] = []
        for category in categories.sorted(by: { $0.identifier < $1.identifier }) {
            for action in category.actions {
                if let owner = owners[action.identifier], owner != category.identifier {
                    actions.append(
                        .diagnose(
                            "action '\(action.identifier)' is in the categories '\(owner)' and "
                                + "'\(category.identifier)'; identifiers are unique in the whole app"))
                }
                owners[action.identifier] = category.identifier
            }
        }
        return actions
    }

    // MARK: Removal

    package mutating func removePending(_ identifiers: [String]) {
        for identifier in identifiers { state.pending[identifier] = nil }
    }

    package mutating func removeAllPending() {
        state.pending = [:]
    }

    package mutating func removeDelivered(_ identifiers: [String]) -> [NotificationCenterAction] {
        let wanted = deliveredIdentifiers.intersection(identifiers)
        guard !wanted.isEmpty else { return [] }
        let removed = state.delivered.map(\.identifier).filter { wanted.contains($0) }
        state.delivered.removeAll { wanted.contains($0.identifier) }
        deliveredIdentifiers.subtract(wanted)
        return [.withdraw(removed)]
    }

    /// A notification comes into the list, in place of one of the same identifier.
    mutating func list(_ notification: NotificationRecord) {
        if !deliveredIdentifiers.insert(notification.identifier).inserted {
            state.delivered.removeAll { $0.identifier == notification.identifier }
        }
        state.delivered.append(notification)
        let excess = state.delivered.count - Self.deliveredCountMax
        guard excess > 0 else { return }
        for oldest in state.delivered.prefix(excess) { deliveredIdentifiers.remove(oldest.identifier) }
        state.delivered.removeFirst(excess)
    }

    package mutating func removeAllDelivered() -> [NotificationCenterAction] {
        removeDelivered(state.delivered.map(\.identifier))
    }

    // MARK: Badge

    /// The app sets its badge; nil when it was set, else the error.
    package mutating func setBadge(
        _ count: Int, policy: ZeroBadgePolicy
    ) -> (error: UNError.Code?, actions: [NotificationCenterAction]) {
        guard count >= 0 else { return (.badgeInputInvalid, []) }
        state.badge = count
        let cleared = count == 0 && policy == .clearsDelivered ? removeAllDelivered() : []
        return (nil, [.setBadge(count)] + cleared)
    }

    /// The older property of `UIApplication`: 0 clears the delivered notifications, less only the badge.
    package mutating func setApplicationIconBadgeNumber(_ number: Int) -> [NotificationCenterAction] {
        state.badge = max(0, number)
        return [.setBadge(state.badge)] + (number == 0 ? removeAllDelivered() : [])
    }
}
