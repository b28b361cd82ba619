import Foundation

/// Finds a trigger's next date by looking at every minute, with Foundation's offsets and components.
///
/// It shares nothing with the search that it checks: no calendar arithmetic, no jumps, no transitions.
struct TriggerOracle {
    let zone: TimeZone
    private let calendar: Calendar

    init(zone: TimeZone) {
        self.zone = zone
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        self.calendar = calendar
    }

    private func offset(_ seconds: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }

    /// The first matching minute after a moment, within some days.
    ///
    /// A time that the clocks skip counts as much later as they jump; one that they show twice counts once, unless the
    /// hour is free.
    func next(after start: Int, matching wanted: DateComponents, days: Int) -> Int? {
        var time = (start / 60 + 1) * 60
        let end = start + days * 86_400
        // The offset that was in force an hour, two … before, to find out what was skipped or is shown again.
        while time < end {
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
        for earlier in stride(from: time - 1800, through: time - 25 * 3600, by: -1800)
        where earlier + offset(earlier) == civil { return true }
        return false
    }

    private func matches(_ civil: Int, _ wanted: DateComponents) -> Bool {
        let found = calendar.dateComponents(
            [.year, .month, .day, .weekday, .weekdayOrdinal, .hour, .minute],
            from: Date(timeIntervalSince1970: Double(civil)))
        func equal(_ part: KeyPath<DateComponents, Int?>) -> Bool {
            wanted[keyPath: part].map { $0 == found[keyPath: part] } ?? true
        }
        return equal(\.minute) && equal(\.hour) && equal(\.day) && equal(\.weekday) && equal(\.weekdayOrdinal)
            && equal(\.month) && equal(\.year)
    }
}
