internal import Foundation
internal import Recurrence

/// A reminder as it is kept: texts and numbers, so that a later version reads what an earlier one wrote.
///
/// Written by its own hand, since ten thousand of them are written at once, and read by `JSONDecoder`.
struct StoredReminder: Decodable {
    private var key: String
    private var rule: String?
    private var once: String?
    private var start: String?
    private var end: String?
    private var count: Int?
    private var uncounted: Int?
    private var anchor: String?
    private var exclusions: [String]?
    private var zone: String?
    private var gap: String?
    private var fold: String?
    private var monthEnd: String?
    private var past: String?
    private var ignoresQuiet: Bool?
    private var snoozes: [Int64]?
    private var ended: Int64?
    private var title: String?
    private var subtitle: String?
    private var body: String?
    private var sound: String?
    private var badge: Int?
    private var category: String?
    private var thread: String?
    private var target: String?
    private var userInfo: [String: PayloadValue]?
    private var interruption: ReminderInterruption?
    private var relevance: Double?
    private var attachments: [URL]?

    private static let instants = "instants"

    init(_ reminder: Reminder) {
        key = reminder.key
        let schedule = reminder.schedule
        switch schedule.kind {
        case .rule(let value): rule = value.text
        case .once(let moment): once = moment.description
        // Resolved before it is kept.
        case .after: break
        }
        start = schedule.start?.description
        end = schedule.end?.description
        count = schedule.count
        uncounted = Self.unless(schedule.uncountedTimes, 0)
        anchor = schedule.anchor?.description
        exclusions = Self.unless(schedule.exclusions.map(\.description), [])
        switch schedule.zonePolicy {
        case .floating: break
        case .instant: zone = Self.instants
        case .fixed(let fixed): zone = fixed.name
        }
        gap = Self.unless(schedule.gapPolicy, .shiftForward)?.rawValue
        fold = Self.unless(schedule.foldPolicy, .first)?.rawValue
        monthEnd = Self.unless(schedule.monthEndPolicy, .lastDay)?.rawValue
        past = Self.unless(schedule.pastDatePolicy, .error)?.rawValue
        ignoresQuiet = Self.unless(
            schedule.ignoresQuietHours, ReminderSchedule.ignoresQuietHours(schedule.kind))
        snoozes = Self.unless(reminder.snoozes.map(\.millisecondsSince1970), [])
        ended = reminder.endedSince?.millisecondsSince1970
        set(reminder.content)
    }

    private mutating func set(_ content: ReminderContent) {
        title = Self.unless(content.title, "")
        subtitle = Self.unless(content.subtitle, "")
        body = Self.unless(content.body, "")
        switch content.sound {
        case nil: break
        case .default: sound = ""
        case .named(let name): sound = name
        }
        badge = content.badge
        category = Self.unless(content.categoryIdentifier, "")
        thread = Self.unless(content.threadIdentifier, "")
        target = content.targetContentIdentifier
        userInfo = Self.unless(content.userInfo, [:])
        interruption = Self.unless(content.interruption, .active)
        relevance = Self.unless(content.relevanceScore, 0)
        attachments = Self.unless(content.attachments, [])
    }

    /// What is usual is not written.
    private static func unless<Value: Equatable>(_ value: Value, _ usual: Value) -> Value? {
        value == usual ? nil : value
    }

    /// The JSON object; what is nil is left out.
    var json: [UInt8] {
        var object = JSONObjectWriter()
        object.write("key", key)
        object.write("rule", rule)
        object.write("once", once)
        object.write("start", start)
        object.write("end", end)
        object.write("count", count)
        object.write("uncounted", uncounted)
        object.write("anchor", anchor)
        object.write("exclusions", exclusions.map { .array($0.map { .string($0) }) })
        object.write("zone", zone)
        object.write("gap", gap)
        object.write("fold", fold)
        object.write("monthEnd", monthEnd)
        object.write("past", past)
        object.write("ignoresQuiet", ignoresQuiet.map { .bool($0) })
        object.write("snoozes", snoozes.map { .array($0.map { .integer($0) }) })
        object.write("ended", ended.map { .integer($0) })
        object.write("title", title)
        object.write("subtitle", subtitle)
        object.write("body", body)
        object.write("sound", sound)
        object.write("badge", badge)
        object.write("category", category)
        object.write("thread", thread)
        object.write("target", target)
        object.write("userInfo", userInfo.map { .object($0) })
        object.write("interruption", interruption?.rawValue)
        object.write("relevance", relevance.map { .number($0) })
        object.write("attachments", attachments.map { .array($0.map { .string($0.absoluteString) }) })
        return object.finished
    }

    /// The reminder; nil when something of it cannot be read.
    var reminder: Reminder? {
        guard var schedule = storedKind.map({ ReminderSchedule($0) }) else { return nil }
        guard let start = Self.moment(start), let end = Self.moment(end) else { return nil }
        schedule.start = start
        schedule.end = end
        schedule.count = count
        schedule.uncountedTimes = uncounted ?? 0
        schedule.anchor = anchor.flatMap { CivilDate(iso8601: $0) }
        schedule.exclusions = (exclusions ?? []).compactMap { Moment($0) }
        switch zone {
        case nil: break
        case Self.instants: schedule.zonePolicy = .instant
        case .some(let name):
            guard let fixed = Zone(stored: name) else { return nil }
            schedule.zonePolicy = .fixed(fixed)
        }
        schedule.gapPolicy = gap.flatMap { GapPolicy(rawValue: $0) } ?? .shiftForward
        schedule.foldPolicy = fold.flatMap { FoldPolicy(rawValue: $0) } ?? .first
        schedule.monthEndPolicy = monthEnd.flatMap { MonthEndPolicy(rawValue: $0) } ?? .lastDay
        schedule.pastDatePolicy = past.flatMap { PastDatePolicy(rawValue: $0) } ?? .error
        if let ignoresQuiet { schedule.ignoresQuietHours = ignoresQuiet }
        var reminder = Reminder(key, schedule, content)
        reminder.snoozes = (snoozes ?? []).map { Instant(millisecondsSince1970: $0) }
        reminder.endedSince = ended.map { Instant(millisecondsSince1970: $0) }
        return reminder
    }

    private var storedKind: ReminderSchedule.Kind? {
        if let rule { return (try? Rule(rule)).map { .rule($0) } }
        return once.flatMap { Moment($0) }.map { .once($0) }
    }

    /// A moment, or that there is none; nil for one that cannot be read.
    private static func moment(_ text: String?) -> Moment?? {
        guard let text else { return .some(nil) }
        return Moment(text).map { .some($0) }
    }

    private var content: ReminderContent {
        var content = ReminderContent(
            title: title ?? "", body: body ?? "",
            sound: sound.map { $0.isEmpty ? .default : .named($0) }, badge: badge,
            categoryIdentifier: category ?? "", threadIdentifier: thread ?? "", userInfo: userInfo ?? [:])
        content.subtitle = subtitle ?? ""
        content.targetContentIdentifier = target
        content.interruption = interruption ?? .active
        content.relevanceScore = relevance ?? 0
        content.attachments = attachments ?? []
        return content
    }
}
