internal import PushStore
internal import Recurrence

/// When a device that must not be disturbed may be: at the end of quiet hours on its own clock.
///
/// A value with a cache of zones; each sender keeps its copy.
struct QuietHours: Sendable {
    private let settings: AppSettings.QuietHours
    private var ends: [String: Instant?] = [:]
    private var asOf: Instant?

    init(_ settings: AppSettings.QuietHours) {
        self.settings = settings
    }

    /// The end of the quiet hours a zone is in; nil when it is in none.
    ///
    /// - Parameters:
    ///   - name: IANA name; UTC's clock counts for nil and for a name nobody knows.
    ///   - now: the time.
    mutating func end(zone name: String?, now: Instant) -> Instant? {
        if asOf != now {
            ends.removeAll(keepingCapacity: true)
            asOf = now
        }
        let key = name ?? ""
        if let known = ends[key] { return known }
        let end = Self.end(of: settings, in: Self.zone(name), now: now)
        ends[key] = end
        return end
    }

    private static func zone(_ name: String?) -> Zone {
        guard let name else { return .utc }
        do {
            return try Zone(name)
        } catch {
            return .utc
        }
    }

    static func end(of settings: AppSettings.QuietHours, in zone: Zone, now: Instant) -> Instant? {
        let civil = zone.civil(at: now)
        let minute = civil.time.secondsSinceMidnight / 60
        let start = settings.startMinute
        let end = settings.endMinute
        // A whole day of them would keep everything for ever.
        guard start != end else { return nil }
        let crossesMidnight = end < start
        let isQuiet =
            crossesMidnight ? minute >= start || minute < end : minute >= start && minute < end
        guard isQuiet, let time = TimeOfDay(secondsSinceMidnight: end * 60) else { return nil }
        let date =
            crossesMidnight && minute >= start
            ? CivilDate(daysSince1970: civil.date.daysSince1970 + 1) : civil.date
        guard let instant = zone.occurrence(of: CivilDateTime(date, time))?.instant else { return nil }
        // Where clocks go back the end may be behind: then nothing is quiet any more.
        return instant > now ? instant : nil
    }
}
