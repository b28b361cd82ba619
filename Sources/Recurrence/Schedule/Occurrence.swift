/// One firing of a schedule in one zone.
public struct Occurrence: Hashable, Sendable {
    /// The time that the rule names, also where the zone's clocks skip it.
    public let civil: CivilDateTime
    /// When it fires.
    public let instant: Instant
    /// Seconds to add to UTC in the zone at that instant.
    public let offsetSeconds: Int
    /// What was special about it; nil on ordinary days.
    public let note: Note?

    /// Why an occurrence is not simply the civil time of its rule.
    public enum Note: Hashable, Sendable {
        /// The clocks jump over the civil time; it fires when they show the other time.
        case skipped(CivilDateTime, firesAt: CivilDateTime)
        /// The clocks show the civil time twice; this is one of them.
        case repeated(Repetition)
    }

    /// Which of two.
    public enum Repetition: String, Hashable, Sendable {
        /// Before the clocks are put back.
        case first
        /// After it.
        case second
    }

    init(civil: CivilDateTime, offset: Int, note: Note?) {
        self.civil = civil
        instant = Instant(secondsSince1970: Int64(civil.civilSeconds - offset))
        offsetSeconds = offset
        self.note = note
    }

    /// A skipped time by its policy; nil when that is to skip it.
    init?(skipped civil: CivilDateTime, at transition: Instant, before: Int, after: Int, policy: GapPolicy) {
        switch policy {
        case .skip: return nil
        case .shiftForward: instant = Instant(secondsSince1970: Int64(civil.civilSeconds - before))
        case .endOfGap: instant = transition
        }
        self.civil = civil
        offsetSeconds = after
        note = .skipped(
            civil, firesAt: CivilDateTime(civilSeconds: Int(instant.secondsSince1970) + after))
    }

    /// What the zone's clocks show when it fires.
    public var local: CivilDateTime {
        CivilDateTime(civilSeconds: Int(instant.secondsSince1970) + offsetSeconds)
    }

    /// What the clocks show, with the offset: `2027-03-12T09:00:00-05:00`.
    public var localISO8601: String {
        var writer = DigitWriter()
        writer.write(local.date)
        writer.write("T")
        writer.write(local.time)
        writer.write(offsetSeconds: offsetSeconds)
        return writer.text
    }

    /// Whether it fires at the time that the rule names.
    var isExact: Bool {
        if case .skipped = note { false } else { true }
    }
}

extension Occurrence.Note: CustomStringConvertible {
    /// A few words for a person: `skipped hour: 02:30 does not exist, fires at 03:30`.
    public var description: String {
        switch self {
        case .skipped(let civil, let other) where civil.date == other.date:
            "skipped hour: \(civil.time) does not exist on this day, fires at \(other.time)"
        case .skipped(let civil, let other):
            "skipped: \(civil.date) \(civil.time) does not exist here, fires on \(other.date) at \(other.time)"
        case .repeated(let repetition):
            "occurs twice; \(repetition.rawValue)"
        }
    }
}
