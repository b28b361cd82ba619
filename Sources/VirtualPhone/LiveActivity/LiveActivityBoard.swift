internal import APNs
internal import Recurrence

/// The Live Activities of a phone: requests, pushes and time in, changes out.
///
///     start ──▶ active ⇄ stale ──(end, or 8 h)──▶ ended ──(dismissal)──▶ gone
///
/// Apple: Starting and updating Live Activities with ActivityKit push notifications.
struct LiveActivityBoard: Sendable {
    /// What happened.
    enum Change: Hashable, Sendable {
        case started, updated, stale, ended, gone
        /// Nothing, with the reason.
        case dropped(String)
    }

    /// How long an activity lasts before the system ends it, in seconds (Apple: Displaying live data with Live Activities).
    static let activeSecondsMax: Int64 = 8 * 3600
    /// How long one that has ended stays on the lock screen at most, and by default, in seconds.
    static let endedSecondsMax: Int64 = 4 * 3600
    /// The time over which pushes of high priority are counted, in seconds.
    static let budgetSeconds: Int64 = 3600

    /// Oldest first.
    private(set) var activities: [PhoneLiveActivity] = []
    /// When an app's pushes of high priority came, within the last hour.
    private var spent: [String: [Instant]] = [:]
    private var nextID = 1

    /// Highest relevance first, then the one that began first.
    var shown: [PhoneLiveActivity] {
        activities.sorted { ($1.relevanceScore, $0.id) < ($0.relevanceScore, $1.id) }
    }

    func activity(_ identifier: String, of app: String) -> PhoneLiveActivity? {
        activities.first { $0.app == app && $0.identifier == identifier }
    }

    /// The newest activity of an app that has not ended.
    func newest(of app: String) -> PhoneLiveActivity? {
        activities.last { $0.app == app && $0.state != .ended }
    }

    // MARK: Events

    /// An activity begins.
    mutating func start(
        _ identifier: String, of app: String, attributesType: String, attributes: JSONValue,
        contentState: JSONValue, timestamp: Int64, staleDate: Int64?, relevanceScore: Double, at now: Instant
    ) -> PhoneLiveActivity {
        let activity = PhoneLiveActivity(
            id: nextID, app: app, identifier: identifier, attributesType: attributesType,
            attributes: attributes, contentState: contentState, state: .active,
            relevanceScore: relevanceScore, startedMilliseconds: now.millisecondsSince1970,
            timestamp: timestamp, staleMilliseconds: staleDate.map { Self.milliseconds($0) })
        nextID += 1
        activities.append(activity)
        return activity
    }

    /// Whether an app may have a push of high priority now; it counts if so.
    mutating func spend(_ app: String, budget: Int, at now: Instant) -> Bool {
        let oldest = now.advanced(bySeconds: -Self.budgetSeconds)
        var times = (spent[app] ?? []).filter { $0 > oldest }
        defer { spent[app] = times }
        guard times.count < budget else { return false }
        times.append(now)
        return true
    }

    /// What an activity shows changes.
    mutating func update(
        _ id: Int, contentState: JSONValue?, timestamp: Int64, staleDate: Int64?, relevanceScore: Double?
    ) -> Change {
        guard let index = index(id) else { return .dropped("there is no such activity") }
        guard activities[index].state != .ended else { return .dropped("the activity has ended") }
        guard timestamp >= activities[index].timestamp else {
            return .dropped(
                "its timestamp \(timestamp) is older than \(activities[index].timestamp), which is shown")
        }
        show(contentState, timestamp, at: index)
        activities[index].state = .active
        activities[index].staleMilliseconds = staleDate.map { Self.milliseconds($0) }
        if let relevanceScore { activities[index].relevanceScore = relevanceScore }
        return .updated
    }

    /// An activity ends, by its app or by a push.
    mutating func end(
        _ id: Int, contentState: JSONValue?, timestamp: Int64, dismissalDate: Int64?, at now: Instant
    ) -> Change {
        guard let index = index(id) else { return .dropped("there is no such activity") }
        guard activities[index].state != .ended else { return .dropped("the activity has ended") }
        if timestamp >= activities[index].timestamp { show(contentState, timestamp, at: index) }
        let latest = now.advanced(bySeconds: Self.endedSecondsMax)
        let wanted = dismissalDate.map { Instant(millisecondsSince1970: Self.milliseconds($0)) } ?? latest
        guard wanted > now else {
            activities.remove(at: index)
            return .gone
        }
        activities[index].state = .ended
        activities[index].dismissalMilliseconds = min(wanted, latest).millisecondsSince1970
        return .ended
    }

    /// The user takes an activity away.
    mutating func dismiss(_ id: Int) -> PhoneLiveActivity? {
        index(id).map { activities.remove(at: $0) }
    }

    /// An app is gone, and its activities with it.
    mutating func removeAll(of app: String) {
        activities.removeAll { $0.app == app }
        spent[app] = nil
    }

    // MARK: Time

    /// When something changes by itself.
    var nextDue: Instant? {
        activities.map { Instant(millisecondsSince1970: Self.due($0)) }.min()
    }

    /// Does what is due.
    mutating func advance(to now: Instant) -> [(activity: PhoneLiveActivity, change: Change)] {
        var changes: [(PhoneLiveActivity, Change)] = []
        for activity in activities where Self.due(activity) <= now.millisecondsSince1970 {
            guard let index = index(activity.id) else { continue }
            if activity.state == .ended {
                activities.remove(at: index)
                changes.append((activity, .gone))
            } else if Self.end(activity) <= now.millisecondsSince1970 {
                activities[index].state = .ended
                activities[index].dismissalMilliseconds =
                    now.advanced(bySeconds: Self.endedSecondsMax)
                    .millisecondsSince1970
                changes.append((activities[index], .ended))
            } else {
                activities[index].state = .stale
                changes.append((activities[index], .stale))
            }
        }
        return changes
    }

    private static func due(_ activity: PhoneLiveActivity) -> Int64 {
        switch activity.state {
        case .ended: activity.dismissalMilliseconds ?? .max
        case .active: min(end(activity), activity.staleMilliseconds ?? .max)
        case .stale: end(activity)
        }
    }

    private static func end(_ activity: PhoneLiveActivity) -> Int64 {
        activity.startedMilliseconds + activeSecondsMax * 1000
    }

    /// Seconds of a payload, which may be any number.
    private static func milliseconds(_ seconds: Int64) -> Int64 {
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
        return isTooLarge ? (seconds < 0 ? .min : .max) : product
    }

    private func index(_ id: Int) -> Int? { activities.firstIndex { $0.id == id } }

    private mutating func show(_ contentState: JSONValue?, _ timestamp: Int64, at index: Int) {
        if let contentState { activities[index].contentState = contentState }
        activities[index].timestamp = timestamp
    }
}
