internal import Recurrence

/// What a preview is asked for, as text: from options, or from one line of a batch.
struct PreviewRequest: Decodable, Sendable {
    static let countDefault = 10
    static let countMax = 10_000

    var rule: String
    /// The device's zone; UTC when not given.
    var zone: String?
    /// An instant; now when not given.
    var from: String?
    var count: Int?
    var start: String?
    var until: String?
    /// How many civil times the schedule has in all.
    var limit: Int?
    var exdates: [String]?
    /// A zone's name, `device`, or `UTC` for instants.
    var timezone: String?
    var gap: String?
    var fold: String?
    var monthEnd: String?

    private enum CodingKeys: String, CodingKey {
        case rule, zone, from, count, start, until, limit, exdates, timezone, gap, fold
        case monthEnd = "month_end"
    }

    /// The occurrences; fewer than asked for when the schedule ends.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: usage, naming the option.
    func occurrences(now: Int64) throws(CommandError) -> [Occurrence] {
        let count = count ?? Self.countDefault
        guard (1...Self.countMax).contains(count) else {
            throw .usage("count: found '\(count)'; allowed: 1 to \(Self.countMax)")
        }
        var from = Instant(secondsSince1970: now)
        if let text = self.from {
            guard let instant = Instant(iso8601: text) else {
                throw .usage(
                    "from: found '\(text)'; allowed: a time with its offset, such as 2027-03-12T00:00:00Z")
            }
            from = instant
        }
        do throws(RecurrenceError) {
            let zone = try zone.map { name throws(RecurrenceError) in try Zone(name) } ?? .utc
            let schedule = try schedule(zone: zone, from: from)
            // An occurrence at --from itself is one of those asked for.
            let before = from.advanced(byMilliseconds: -1)
            return Array(schedule.occurrences(after: before, in: zone).prefix(count))
        } catch {
            throw .usage(error.message)
        }
    }

    private func schedule(zone: Zone, from: Instant) throws(RecurrenceError) -> Schedule {
        let isReminder = ReminderText.isReminder(rule)
        let rule = isReminder ? try ReminderText.rule(rule) : try Rule(rule)
        let policy: ZonePolicy =
            switch timezone {
            case nil, "device": .floating
            case "UTC": .instant
            case .some(let name): .fixed(try Zone(name))
            }
        let clock = if case .fixed(let fixed) = policy { fixed } else { policy == .instant ? .utc : zone }
        // Without a start, the day of --from begins the rule: its parts decide the rest.
        let start = try Self.moment(start, "start") ?? .date(clock.civil(at: from).date)
        return try Schedule(
            rule: rule, start: start, until: Self.moment(until, "until"), count: limit,
            exclusions: (exdates ?? []).map { text throws(RecurrenceError) in try Self.moment(text, "exdate")
            }
            .compactMap(\.self),
            zonePolicy: policy, gapPolicy: Self.choice(gap, "gap") ?? .shiftForward,
            foldPolicy: Self.choice(fold, "fold") ?? .first,
            monthEndPolicy: Self.choice(monthEnd, "month-end") ?? (isReminder ? .lastDay : .skip))
    }

    private static func moment(_ text: String?, _ field: String) throws(RecurrenceError) -> Moment? {
        guard let text else { return nil }
        guard let moment = Moment(text) else {
            throw RecurrenceError(
                code: .invalidValue, field: field,
                message: "\(field): found '\(text)'; allowed: \(Moment.allowed)")
        }
        return moment
    }

    private static func choice<Value: CaseIterable & RawRepresentable>(
        _ text: String?, _ field: String
    ) throws(RecurrenceError) -> Value? where Value.RawValue == String {
        guard let text else { return nil }
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw RecurrenceError(
                code: .invalidValue, field: field, message: "\(field): found '\(text)'; allowed: \(allowed)")
        }
        return value
    }
}
