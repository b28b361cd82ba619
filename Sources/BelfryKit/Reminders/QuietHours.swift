public import Recurrence

/// Hours in which reminders hold back, by the device's own clocks, each day anew.
///
///     try await reminders.setQuietHours(QuietHours(from: "22:00", to: "07:00", effect: .postpone))
///
/// They hold back rules only: what fires once, and a snooze, is a moment that the user chose. A reminder that has to come
/// all the same says so with `ignoringQuietHours()`. Whatever was held back is in ``PlanReport/quieted`` with its reason.
public struct QuietHours: Hashable, Sendable, Codable {
    /// What becomes of an occurrence in quiet hours.
    public enum Effect: String, CaseIterable, Hashable, Sendable, Codable {
        /// It is shown in the list at its time, without sound, banner and light.
        case silence
        /// It comes at the end of the quiet hours; several of one reminder come as one.
        case postpone
        /// It does not come.
        case leaveOut = "leave-out"
    }

    /// When they begin.
    public let start: TimeOfDay
    /// When they are over; a reminder at this very time is not held back.
    public let end: TimeOfDay
    /// What becomes of occurrences.
    public let effect: Effect

    /// Makes quiet hours; those that end before they start go on after midnight.
    ///
    /// - Throws: `invalidSchedule` for a time that is none, and for two equal ones, which could mean all day or never.
    public init(
        from start: ReminderTime, to end: ReminderTime, effect: Effect = .silence
    ) throws(BelfryKitError) {
        try self.init(start.timeOfDay("from"), end.timeOfDay("to"), effect)
    }

    private init(_ start: TimeOfDay, _ end: TimeOfDay, _ effect: Effect) throws(BelfryKitError) {
        guard start != end else {
            throw BelfryKitError(
                .invalidSchedule, "to", found: end.description, allowed: "another time than from")
        }
        self.start = start
        self.end = end
        self.effect = effect
    }

    /// Whether a time of day is within them.
    public func contains(_ time: TimeOfDay) -> Bool {
        start < end ? start <= time && time < end : start <= time || time < end
    }

    /// When they are over that a civil time is within.
    func end(after civil: CivilDateTime) -> CivilDateTime {
        CivilDateTime(civil.time < end ? civil.date : civil.date.daysLater(1), end)
    }

    // MARK: Keeping

    private enum CodingKeys: String, CodingKey {
        case start = "from"
        case end = "to"
        case effect
    }

    /// Reads what `encode(to:)` wrote.
    ///
    /// - Throws: a decoding error, or `invalidSchedule`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            from: ReminderTime(try container.decode(String.self, forKey: .start)),
            to: ReminderTime(try container.decode(String.self, forKey: .end)),
            effect: try container.decode(Effect.self, forKey: .effect))
    }

    /// Writes times as texts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(start.description, forKey: .start)
        try container.encode(end.description, forKey: .end)
        try container.encode(effect, forKey: .effect)
    }
}
