import Foundation

/// Finds a trigger's next date by looking at every minute, with Foundation's offsets and components.
///
/// It shares nothing with the search that it checks: no calendar arithmetic, no jumps, no transitions. Offsets and days
/// are read once for a stretch of time, since every minute of it is looked at many times.
final class TriggerOracle {
    private let calendar: Calendar
    /// The first minute of the stretch.
    private let origin: Int
    /// The zone's offset in each minute of the stretch, in seconds.
    private let offsets: [Int]
    /// Whether the offset has changed within the margin before each minute.
    private let hasChanged: [Bool]
    private var days: [Int: DateComponents] = [:]

    /// How far back a change of the clocks can matter, in minutes.
    private static let marginMinutes = 26 * 60

    /// - Parameters:
    ///   - start: the first moment that is asked about, in seconds since 1970.
    ///   - dayCount: for how long after it.
    init(zone: TimeZone, start: Int, dayCount: Int) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        self.calendar = calendar
        let origin = start / 60 * 60 - Self.marginMinutes * 60
        self.origin = origin
        let offsets = (0..<dayCount * 1440 + 2 * Self.marginMinutes).map {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(origin + $0 * 60)))
        }
        var latest = -Self.marginMinutes
        hasChanged = offsets.indices.map { index in
            if index > 0, offsets[index] != offsets[index - 1] { latest = index }
            return index - latest < Self.marginMinutes
        }
        self.offsets = offsets
    }

    private func offset(_ seconds: Int) -> Int { offsets[(seconds - origin) / 60] }

    /// The first matching minute after a moment, within some days.
    ///
    /// A time that the clocks skip counts as much later as they jump; one that they show twice counts once, unless the
    /// hour is free.
    func next(after start: Int, matching wanted: DateComponents, days: Int) -> Int? {
        var time = (start / 60 + 1) * 60
        let end = min(start + days * 86_400, origin + (offsets.count - 1) * 60)
        while time < end {
            // Most minutes do not have the minute, whatever the offset; all offsets here are whole quarters of an hour.
            if let minute = wanted.minute, (time / 60 - minute) % 15 != 0 {
                time += 60
                continue
            }
            let now = offset(time)
            if matches(time + now, wanted), wanted.hour == nil || !wasShown(time + now, before: time) {
                return time
            }
            if let before = offsetOfGap(at: time), matches(time + before, wanted) { return time }
            time += 60
        }
        return nil
    }

    /// The offset before the last jump, while the clocks are still within its length after it.
    private func offsetOfGap(at time: Int) -> Int? {
        guard hasChanged[(time - origin) / 60] else { return nil }
        let now = offset(time)
        for distance in stride(from: 1800, through: 25 * 3600, by: 1800) {
            let before = offset(time - distance)
            guard before != now else { continue }
            let jump = now - before
            // The transition is less than the jump ago.
            return jump > 0 && offset(time - jump) != now && offset(time - jump) == before ? before : nil
        }
        return nil
    }

    private func wasShown(_ civil: Int, before time: Int) -> Bool {
        guard hasChanged[(time - origin) / 60] else { return false }
        for earlier in stride(from: time - 1800, through: time - 25 * 3600, by: -1800)
        where earlier + offset(earlier) == civil { return true }
        return false
    }

    private func matches(_ civil: Int, _ wanted: DateComponents) -> Bool {
        // All of the moments here are after 1970.
        if let minute = wanted.minute, minute != civil / 60 % 60 { return false }
        if let hour = wanted.hour, hour != civil / 3600 % 24 { return false }
        let found = day(of: civil)
        func equal(_ part: KeyPath<DateComponents, Int?>) -> Bool {
            wanted[keyPath: part].map { $0 == found[keyPath: part] } ?? true
        }
        return equal(\.day) && equal(\.weekday) && equal(\.weekdayOrdinal) && equal(\.month) && equal(\.year)
    }

    private func day(of civil: Int) -> DateComponents {
        let number = civil / 86_400
        if let found = days[number] { return found }
        let found = calendar.dateComponents(
            [.year, .month, .day, .weekday, .weekdayOrdinal],
            from: Date(timeIntervalSince1970: Double(number) * 86_400))
        days[number] = found
        return found
    }
}
