internal import Recurrence

/// What happened on a phone, the last part of it.
struct PhoneJournal: Sendable {
    /// The oldest entries go.
    static let countMax = 100_000
    /// So many at once, since removing from the front moves the rest.
    private static let excessMax = 10_000

    private(set) var entries: [JournalEntry] = []
    private var nextNumber = 1

    mutating func add(
        _ event: JournalEntry.Event, at now: Instant, zone: Zone, app: String?, notification: Int?,
        text: String
    ) -> JournalEntry {
        let entry = JournalEntry(
            number: nextNumber, milliseconds: now.millisecondsSince1970, time: zone.civil(at: now).iso8601,
            event: event, app: app, notification: notification, text: text)
        nextNumber += 1
        entries.append(entry)
        if entries.count > Self.countMax + Self.excessMax { entries.removeFirst(Self.excessMax) }
        return entry
    }
}
