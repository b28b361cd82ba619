#if canImport(FoundationInternationalization)
internal import FoundationEssentials
// The zones' data: without it FoundationEssentials knows UTC and nothing else.
internal import FoundationInternationalization
#else
internal import Foundation
#endif

/// The offsets of one zone: a table of its transitions near the present, Foundation beyond it.
///
/// Foundation is asked for offsets and transitions only. Its calendar searches miss and invent dates.
final class ZoneData: Sendable {
    /// The table covers 1970 to 2100; outside it every answer costs a few look-ups.
    private static let tableStart = 0
    private static let tableEnd = 4_102_444_800
    /// More than any zone has in the table; ends the loop whatever Foundation answers.
    private static let transitionCountMax = 2000
    /// A civil time and its instant are nearer than this.
    private static let margin = 2 * 86_400

    private let timeZone: TimeZone?
    private let segments: ZoneSegments

    /// A zone that never changes.
    init(offset: Int) {
        timeZone = nil
        segments = ZoneSegments(offset: offset)
    }

    init?(name: String) {
        guard let timeZone = TimeZone(identifier: name) else { return nil }
        self.timeZone = timeZone
        segments = Self.table(of: timeZone)
    }

    func offset(at seconds: Int) -> Int {
        guard let timeZone, !Self.isInTable(seconds) else {
            return segments.offsets[segments.index(at: seconds)]
        }
        return Self.offset(of: timeZone, at: seconds)
    }

    func match(_ civilSeconds: Int) -> ZoneMatch {
        guard let timeZone, !Self.isInTable(civilSeconds) else { return segments.match(civilSeconds) }
        return Self.segments(of: timeZone, around: civilSeconds).match(civilSeconds)
    }

    /// Whether the offset changes within some seconds of an instant.
    func hasTransition(within distance: Int, of seconds: Int) -> Bool {
        guard let timeZone, !Self.isInTable(seconds) else {
            return segments.index(at: seconds - distance) != segments.index(at: seconds + distance)
        }
        return Self.offset(of: timeZone, at: seconds - distance)
            != Self.offset(of: timeZone, at: seconds + distance)
    }

    /// The first change of the offset after an instant, in seconds since 1970.
    func transition(after seconds: Int) -> Int? {
        guard let timeZone else { return nil }
        if Self.isInTable(seconds) {
            let next = segments.index(at: seconds) + 1
            if next < segments.starts.count { return segments.starts[next] }
        }
        return Self.reportedTransition(
            of: timeZone, after: max(seconds, Self.isInTable(seconds) ? Self.tableEnd : seconds))
    }

    // MARK: Foundation

    private static func isInTable(_ seconds: Int) -> Bool {
        seconds >= tableStart + margin && seconds < tableEnd - margin
    }

    private static func offset(of timeZone: TimeZone, at seconds: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }

    private static func reportedTransition(of timeZone: TimeZone, after seconds: Int) -> Int? {
        guard
            let next = timeZone.nextDaylightSavingTimeTransition(
                after: Date(timeIntervalSince1970: Double(seconds)))
        else { return nil }
        let start = next.timeIntervalSince1970
        // Foundation has been seen to answer with a date millions of years away for "none".
        return start > Double(seconds) && start < 253_402_300_800 ? Int(start) : nil
    }

    private static func table(of timeZone: TimeZone) -> ZoneSegments {
        var segments = ZoneSegments(offset: offset(of: timeZone, at: tableStart))
        var position = tableStart
        for _ in 0..<transitionCountMax {
            let next = min(reportedTransition(of: timeZone, after: position) ?? tableEnd, tableEnd)
            addUnreported(of: timeZone, from: position, to: next - 1, into: &segments)
            if next >= tableEnd { break }
            segments.append(start: next, offset: offset(of: timeZone, at: next))
            position = next
        }
        return segments
    }

    /// Finds a change that was not reported as a transition, as some systems leave out those of standard time.
    private static func addUnreported(
        of timeZone: TimeZone, from start: Int, to end: Int, into segments: inout ZoneSegments
    ) {
        let last = offset(of: timeZone, at: end)
        guard last != segments.lastOffset else { return }
        var low = start
        var high = end
        while high - low > 1 {
            let middle = (low + high) / 2
            if offset(of: timeZone, at: middle) == segments.lastOffset { low = middle } else { high = middle }
        }
        segments.append(start: high, offset: offset(of: timeZone, at: high))
        segments.append(start: end, offset: last)
    }

    private static func segments(of timeZone: TimeZone, around seconds: Int) -> ZoneSegments {
        var segments = ZoneSegments(offset: offset(of: timeZone, at: seconds - margin))
        addUnreported(of: timeZone, from: seconds - margin, to: seconds + margin, into: &segments)
        return segments
    }
}
