internal import Foundation
internal import UserNotifications

/// The number on the app's icon: how many things the user has not seen.
///
///     await belfry.badge.markUnread("conversation/7")
///     await belfry.badge.markRead("conversation/7", removingDelivered: true)
///
/// The system knows only numbers that replace one another, so that a badge which is raised by one each time never comes
/// down. Here things have keys, and the number is how many there are: it cannot grow for what was counted before.
///
/// What iOS does to the list when the number becomes 0 depends on how it is set. Here the number and the list are two
/// things: each function says whether notifications go, and the others stay.
///
/// Call it from any task; what was marked survives the process.
public final class UnreadBadge: Sendable {
    private let link: NotificationCenterLink
    private let surroundings: KitSurroundings
    private let policy: BadgePolicy
    private let stored: StoredValue<Set<String>>
    private let keys: Guarded<Set<String>>
    /// What happens by itself; each ends after the one before it.
    private let work = Guarded<Task<Void, Never>?>(nil)

    init(center: UNUserNotificationCenter, surroundings: KitSurroundings, policy: BadgePolicy) {
        link = NotificationCenterLink(center)
        self.surroundings = surroundings
        self.policy = policy
        stored = StoredValue("belfry.unread", in: surroundings.storage)
        keys = Guarded(stored.load() ?? [])
    }

    /// What the app marked as unread, and has not marked as read.
    public var unreadKeys: Set<String> { keys.withLock { $0 } }

    // MARK: What the app says

    /// Something new is there; marked twice it counts once.
    public func markUnread(_ key: String) async { await change { $0.insert(key) } }

    /// The user has seen something.
    ///
    /// - Parameters:
    ///   - key: what was marked; with the policy ``BadgePolicy/unread`` also a reminder's key, a thread or an identifier.
    ///   - removingDelivered: whether its notifications go from the list: those with this reminder key, thread or
    ///     identifier.
    public func markRead(_ key: String, removingDelivered: Bool = false) async {
        if removingDelivered {
            let listed = await link.delivered.filter { $0.key == key || $0.identifier == key }
            link.removeDelivered(listed.map(\.identifier))
        }
        await change { $0.remove(key) }
    }

    /// The app knows better: exactly these are unread.
    public func replaceUnread(with keys: Set<String>) async { await change { $0 = keys } }

    /// Nothing is unread any more.
    ///
    /// - Parameter removingDelivered: whether the list is emptied too.
    public func clear(removingDelivered: Bool = false) async {
        keep { $0 = [] }
        if removingDelivered { link.center.removeAllDeliveredNotifications() }
        await show(0)
    }

    /// Sets the number to what is unread now.
    ///
    /// - Returns: the number.
    @discardableResult
    public func refresh() async -> Int {
        var counted = unreadKeys
        if policy == .unread { counted.formUnion(await link.delivered.map(\.key)) }
        await show(counted.count)
        return counted.count
    }

    // MARK: What happens

    /// The app is in front.
    func activate(after ready: @escaping @Sendable () async -> Void) {
        guard policy != .manual else { return }
        enqueue { [self] in
            await ready()
            if policy == .unread { await refresh() } else { await show(0) }
        }
    }

    /// A notification was acted on, or the app is left.
    func listChanges() {
        if policy == .unread { enqueue { [self] in await refresh() } }
    }

    private func enqueue(_ body: @escaping @Sendable () async -> Void) {
        // Ends with the body; what the process loses is made up for at the next activation.
        work.withLock { last in
            let former = last
            last = Task {
                await former?.value
                await body()
            }
        }
    }

    /// Waits until nothing is on its way.
    func settle() async { await work.withLock { $0 }?.value }

    private func change(_ body: (inout Set<String>) -> Void) async {
        keep(body)
        await refresh()
    }

    private func keep(_ body: (inout Set<String>) -> Void) {
        let isChanged = keys.withLock { keys in
            let old = keys
            body(&keys)
            return keys != old
        }
        guard isChanged else { return }
        do throws(BelfryKitError) {
            try stored.save { keys.withLock { $0 } }
        } catch {
            surroundings.report(error)
        }
    }

    @MainActor private func show(_ count: Int) {
        guard surroundings.platform.badgeCount != count else { return }
        surroundings.platform.showBadge(count)
    }
}
