internal import Recurrence
internal import UserNotifications

/// What is on a phone's screen: events in, what the user notices out.
struct PhoneScreen: Sendable {
    /// A notification that is somewhere to be seen.
    struct Entry: Sendable {
        /// What does not change; on the heap, so that moving an entry is cheap.
        final class Contents: Sendable {
            let app: String
            let record: NotificationRecord
            let category: CategoryRecord?

            init(app: String, record: NotificationRecord, category: CategoryRecord?) {
                self.app = app
                self.record = record
                self.category = category
            }
        }

        var id: Int
        let contents: Contents
        var isListed: Bool
        var isOnLockScreen: Bool
        var isBanner: Bool
        /// When the banner goes by itself; nil for one that stays.
        var bannerEnd: Instant?
        var asksToKeep: Bool

        var app: String { contents.app }
        var record: NotificationRecord { contents.record }
        var category: CategoryRecord? { contents.category }
        var isGone: Bool { !isListed && !isOnLockScreen && !isBanner }
        fileprivate var name: Name { Name(app: app, identifier: record.identifier) }
    }

    /// What a newer notification replaces an older one by.
    fileprivate struct Name: Hashable {
        var app: String
        var identifier: String
    }

    /// How long a banner stays, in milliseconds.
    ///
    /// Apple gives no figure; iOS 17 and 18 take about this long.
    static let bannerMilliseconds: Int64 = 5_000
    /// The oldest go.
    static let entryCountMax = 2_000
    /// So many at once, since removing from the front moves the rest.
    private static let excessMax = 200

    /// Oldest first, which is the order of their numbers.
    private(set) var entries: [Entry] = []
    /// The numbers of the entries by app and identifier.
    private var ids: [Name: Int] = [:]
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
        var entry = Entry(
            id: nextID, contents: Entry.Contents(app: app, record: record, category: category),
            isListed: presentation.isListed,
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
        if let old = ids[entry.name], let index = index(of: old) { entries.remove(at: index) }
        ids[entry.name] = entry.id
        entries.append(entry)
        if entries.count > Self.entryCountMax + Self.excessMax { removeOldest(Self.excessMax) }
        return entry
    }

    private mutating func removeOldest(_ count: Int) {
        for entry in entries.prefix(count) { forget(entry) }
        entries.removeFirst(count)
    }

    /// Notifications of an app are gone.
    mutating func withdraw(_ identifiers: [String], of app: String) -> [Entry] {
        // A name that is not on the screen, as most are not, costs no look at the others.
        let wanted = Set(identifiers.compactMap { ids[Name(app: app, identifier: $0)] })
        return wanted.isEmpty ? [] : remove { wanted.contains($0.id) }
    }

    /// Everything of an app is gone.
    mutating func withdrawAll(of app: String) -> [Entry] { remove { $0.app == app } }

    /// A banner goes; the notification stays in the list if it is there.
    mutating func hideBanner(_ id: Int) {
        if bannerID == id { bannerID = nil }
        guard let index = index(of: id) else { return }
        entries[index].isBanner = false
        entries[index].bannerEnd = nil
        guard entries[index].isGone else { return }
        forget(entries[index])
        entries.remove(at: index)
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
        _ = remove(where: \.isGone)
    }

    /// The app's question to keep quiet notifications was answered.
    mutating func endTrial(of app: String) {
        for index in entries.indices where entries[index].app == app { entries[index].asksToKeep = false }
    }

    func entry(_ id: Int) -> Entry? { index(of: id).map { entries[$0] } }

    /// Where an entry is: numbers only grow, so halves of the list are ruled out.
    private func index(of id: Int) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].id == id ? low : nil
    }

    private mutating func forget(_ entry: Entry) {
        if ids[entry.name] == entry.id { ids[entry.name] = nil }
    }

    /// When the banner goes, and which.
    var nextBannerEnd: (instant: Instant, id: Int)? {
        guard let bannerID, let end = entry(bannerID)?.bannerEnd else { return nil }
        return (end, bannerID)
    }

    private mutating func remove(where isWanted: (Entry) -> Bool) -> [Entry] {
        let gone = entries.filter(isWanted)
        if !gone.isEmpty { entries.removeAll(where: isWanted) }
        for entry in gone { forget(entry) }
        if gone.contains(where: { $0.id == bannerID }) { bannerID = nil }
        return gone
    }
}
