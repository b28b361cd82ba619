internal import Recurrence

/// Finds the next instant at which a zone's clocks show a matching civil time.
///
/// It walks the stretches of time that have one offset each. In a stretch, a civil time is an instant and back, so the
/// search needs no zone. What the clocks skip before a stretch, or show again in it, is treated by policy at its start.
struct InstantSearch: Sendable {
    let civil: CivilSearch
    let zone: Zone
    let gap: GapPolicy
    let fold: FoldPolicy

    /// No change of a clock is larger: a day was skipped at the date line once, and an hour is usual.
    private static let margin = 26 * 3600
    /// Far more stretches than lie near one match; ends the walk whatever a zone answers.
    private static let stepCountMax = 4000

    func next(after now: Instant) -> Instant? {
        let lower = Int(now.secondsSince1970) + 1
        var position = lower - Self.margin
        var offsetBefore: Int?
        for _ in 0..<Self.stepCountMax {
            let offset = offset(at: position)
            let end = zone.nextTransition(after: instant(position)).map { Int($0.secondsSince1970) }
            let shifted = skipped(at: position, before: offsetBefore, after: offset, lower: lower)
            let shown = shown(
                from: position, to: end, offset: offset, before: offsetBefore, lower: lower)
            if let found = [shifted, shown.found].compactMap({ $0 }).min() { return instant(found) }
            guard let end else { return nil }
            // Near the start, clocks that go back may show a time that the search from there on has passed.
            if end > lower + Self.margin {
                guard let nextCivil = shown.nextCivil else { return nil }
                if nextCivil - Self.margin > end {
                    position = nextCivil - Self.margin
                    offsetBefore = nil
                    continue
                }
            }
            position = end
            offsetBefore = offset
        }
        return nil
    }

    /// The first match that a stretch shows, or the civil time of the first one after it.
    private func shown(
        from position: Int, to end: Int?, offset: Int, before: Int?, lower: Int
    ) -> (found: Int?, nextCivil: Int?) {
        var start = max(position, lower) + offset
        if fold == .first, let before, before > offset { start = max(start, position + before) }
        guard let match = civil.first(from: start) else { return (nil, nil) }
        guard let end else { return (match - offset, match) }
        var endCivil = end + offset
        if fold == .second { endCivil = min(endCivil, end + self.offset(at: end)) }
        return match < endCivil ? (match - offset, match) : (nil, match)
    }

    /// The first match among the civil times that the clocks jumped over at the start of a stretch.
    private func skipped(at position: Int, before: Int?, after: Int, lower: Int) -> Int? {
        guard let before, after > before, gap != .skip else { return nil }
        if gap == .endOfGap {
            guard position >= lower, let match = civil.first(from: position + before) else { return nil }
            return match < position + after ? position : nil
        }
        guard let match = civil.first(from: max(position, lower) + before), match < position + after else {
            return nil
        }
        return match - before
    }

    private func offset(at seconds: Int) -> Int { zone.offsetSeconds(at: instant(seconds)) }

    private func instant(_ seconds: Int) -> Instant { Instant(secondsSince1970: Int64(seconds)) }
}
