public import Recurrence

/// When a reminder fires.
///
/// Make one, then change what is not as wanted:
///
///     try .daily(at: "09:00")
///     try .weekly(on: [.monday, .thursday], at: "18:30").starting(.date(firstDay)).limited(to: 10)
///     try .every(2, .hours, from: "22:00", to: "06:00", on: .mondayToFriday)
///     try .monthly(on: .last, at: "18:30").inZone(.fixed(Zone("Europe/Berlin")))
///     try .text("every 90 minutes from 08:00 to 20:00")
///
/// A rule is one of calendar and wall clock: 09:00 stays 09:00 when clocks change, and moves with the device when it
/// travels, unless ``inZone(_:)`` says otherwise. Steps of several days or weeks are counted from the start; without
/// one, from the day on which the reminder is set.
public struct ReminderSchedule: Hashable, Sendable {
    enum Kind: Hashable {
        case rule(Rule)
        case once(Moment)
        /// Seconds from the moment at which it is set.
        case after(Double)
    }

    var kind: Kind
    /// The first moment; a rule counts its steps from it.
    public var start: Moment?
    /// The last possible moment; a day counts to its end.
    public var end: Moment?
    /// How many times it fires in all.
    public var count: Int?
    /// What is left out: moments as the rule names them, or whole days.
    public var exclusions: [Moment] = []
    /// Whose clocks it follows.
    public var zonePolicy = ZonePolicy.floating
    /// What happens to times that clocks jump over.
    public var gapPolicy = GapPolicy.shiftForward
    /// Which of two instants counts when clocks show a time twice.
    public var foldPolicy = FoldPolicy.first
    /// What happens in months that lack a day: the last day takes its place, in `rrule` the month is left out.
    public var monthEndPolicy = MonthEndPolicy.lastDay
    /// What happens when there is no occurrence any more.
    public var pastDatePolicy = PastDatePolicy.error

    /// Whether it comes in quiet hours as at any other time; at first so for what fires once, which somebody chose.
    public var ignoresQuietHours: Bool

    /// Where a rule without a start begins to count: the day on which it was set.
    var anchor: CivilDate?
    /// Times of the rule between anchor and setting, which the count leaves out.
    var uncountedTimes = 0

    init(_ kind: Kind) {
        self.kind = kind
        ignoresQuietHours = Self.ignoresQuietHours(kind)
    }

    /// What counts where nothing else is said.
    static func ignoresQuietHours(_ kind: Kind) -> Bool {
        if case .rule = kind { false } else { true }
    }

    /// The rule; nil for what fires once.
    public var rule: Rule? {
        if case .rule(let rule) = kind { rule } else { nil }
    }

    /// The rule in RFC 5545's words, or the moment at which it fires once.
    public var summary: String {
        switch kind {
        case .rule(let rule): rule.text
        case .once(let moment): "once at \(moment)"
        case .after(let seconds): "\(seconds) s after it is set"
        }
    }
}
