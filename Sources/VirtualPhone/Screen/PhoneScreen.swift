internal import Recurrence
internal import UserNotifications

/// What is on a phone's screen: events in, what the user notices out.
struct PhoneScreen: Sendable {
    /// A notification that is somewhere to be seen.
    struct Entry: Sendable {
        var id: Int
        var app: String
        var record: NotificationRecord
        var category: CategoryRecord?
        var isListed: Bool
        var isOnLockScreen: Bool
        var isBanner: Bool
        /// When the banner goes by itself; nil for one that stays.
        var bannerEnd: Instant?
        var asksToKeep: Bool

        var isGone: Bool { !isListed && !isOnLockScreen && !isBanner }
    }

    /// How long a banner stays, in milliseconds.
    ///
    /// Apple gives no figure; iOS 17 and 18 take about this long.
    static let bannerMilliseconds: Int64 = 5_000
    /// The oldest go.
    static let entryCountMax = 2_000

    /// Oldest first.
    private(set) var entries: [Entry] = []
    private(set) var isLocked: Bool
    private var nextID = 1
    /// The entry that has the banner.
    private var bannerID: Int?

    init(isLocked: Bool) { self.isLocked = isLocked }

    /// A notification appears, in place of one of the same app and identifier.
    ///
    /// - Returns: its entry; nil when it has a sound or a badge only.
    mutating func show(
        _ record: NotificationRecord, app: String, category: CategoryRecord?,
        presentation: NotificationPresentation, isPersistent: Bool, at now: Instant
    ) -> Entry? {
        let old = entries.first { $0.app == app && $0.record.identifier == record.identifier }
        var entry = Entry(
            id: nextID, app: app, record: record, category: category, isListed: presentation.isListed,
            isOnLockScreen: isLocked && presentation.showsOnLockScreen,
            isBanner: !isLocked && presentation.showsBanner, asksToKeep: presentation.asksToKeep)
        guard !entry.isGone else { return nil }
        nextID += 1
        if entry.isBanner {
            entry.bannerEnd = isPersistent ? nil : now.advanced(byMilliseconds: Self.bannerMilliseconds)
            // One banner at a time: the one that is there makes room.
            hideBanners()
            bannerID = entry.id
        }
        if let old { entries.removeAll { $0.id == old.id } }
        entries.append(entry)
        if entries.count > Self.entryCountMax { entries.removeFirst(entries.count - Self.entryCountMax) }
        return entry
    }

    /// Notifications of an app are gone.
    mutating func withdraw(_ identifiers: [String], of app: String) -> [Entry] {
        let wanted = Set(identifiers)
        return remove { $0.app == app && wanted.contains($0.record.identifier) }
    }

    /// Everything of an app is gone.
    mutating func withdrawAll(of app: String) -> [Entry] { remove { $0.app == app } }

    /// A banner goes; the notification stays in the list if it is there.
    mutating func hideBanner(_ id: Int) {
        if bannerID == id { bannerID = nil }
        for index in entries.indices where entries[index].id == id {
            entries[index].isBanner = false
            entries[index].bannerEnd = nil
        }
        entries.removeAll { $0.isGone }
    }

    private mutating func hideBanners() {
        if let bannerID { hideBanner(bannerID) }
    }

    mutating func lock() {
        hideBanners()
        isLocked = true
    }

    /// What was on the lock screen is in the list from now on.
    mutating func unlock() {
        isLocked = false
        for index in entries.indices { entries[index].isOnLockScreen = false }
        entries.removeAll { $0.isGone }
    }

    /// The app's question to keep quiet notifications was answered.
    mutating func endTrial(of app: String) {
        for index in entries.indices where entries[index].app == app { entries[index].asksToKeep = false }
    }

    /// Numbers only grow, so the newest is found first.
    func entry(_ id: Int) -> Entry? { entries.last { $0.id == id } }

    /// When the banner goes, and which.
    var nextBannerEnd: (instant: Instant, id: Int)? {
        guard let bannerID, let end = entry(bannerID)?.bannerEnd else { return nil }
        return (end, bannerID)
    }

    private mutating func remove(where isWanted: (Entry) -> Bool) -> [Entry] {
        let gone = entries.filter(isWanted)
        if !gone.isEmpty { entries.removeAll(where: isWanted) }
        if gone.contains(where: { $0.id == bannerID }) { bannerID = nil }
        return gone
    }
}
