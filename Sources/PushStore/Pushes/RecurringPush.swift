package import Recurrence

/// The occurrences of a recurring push, one after the other.
///
/// On the clocks of devices an occurrence is a civil time, which comes to the zones of the world over 26
/// hours; in a named zone it is an instant.
package struct RecurringPush: Sendable {
    private let schedule: Schedule
    private let zone: Zone?

    /// Reads a schedule.
    ///
    /// - Parameters:
    ///   - request: as it was asked for.
    ///   - createdAt: when it was asked for; a request that names no start begins with the next whole minute, since
    ///     the start's seconds are those of a rule without its own (RFC 5545: BYSECOND), and nine means nine.
    /// - Throws: `invalid` that names the part that is wrong.
    package init(_ request: PushSchedule, createdAt: Instant) throws(StoreError) {
        do throws(RecurrenceError) {
            switch request.zone {
            case .device: zone = nil
            case .named(let name): zone = try Zone(name)
            }
            // Devices east of here are ahead: a rule may fire from the civil time that is earliest in the world.
            let start =
                try RecurringPush.moment(request.start, "schedule.start")
                ?? .civil((zone ?? Zone.utc).civil(at: RecurringPush.nextMinute(createdAt)))
            schedule = try Schedule(
                rule: Rule(request.rule), start: start,
                until: RecurringPush.moment(request.until, "schedule.until"), count: request.count,
                exclusions: request.exceptions.map { text throws(RecurrenceError) in
                    guard let moment = Moment(text) else {
                        throw RecurringPush.refuse("schedule.exdates", text)
                    }
                    return moment
                },
                zonePolicy: zone.map { .fixed($0) } ?? .floating)
        } catch {
            throw StoreError(.invalid, "schedule: \(error.message)")
        }
    }

    private static func nextMinute(_ instant: Instant) -> Instant {
        Instant(secondsSince1970: (instant.secondsSince1970 + 59) / 60 * 60)
    }

    private static func moment(_ text: String?, _ field: String) throws(RecurrenceError) -> Moment? {
        guard let text else { return nil }
        guard let moment = Moment(text) else { throw refuse(field, text) }
        return moment
    }

    private static func refuse(_ field: String, _ text: String) -> RecurrenceError {
        RecurrenceError(
            code: .invalidValue, field: field,
            message: "\(field): '\(text.prefix(40))' was found, a time such as 2027-03-12T09:00:00 is needed")
    }

    /// What fires after an instant for people in a zone, for previews; in a schedule of one zone it is that one.
    package func occurrences(after instant: Instant, in zone: Zone) -> Occurrences {
        schedule.occurrences(after: instant, in: self.zone ?? zone)
    }

    /// The occurrence after another one; the first one for nil.
    func next(after occurrence: String?) -> PushTiming? {
        if let zone {
            let last = occurrence.flatMap(Instant.init(iso8601:))
            var times = schedule.occurrences(after: last, in: zone)
            guard let next = times.next() else { return nil }
            return PushTiming(
                dueAt: next.instant, lastAt: next.instant, occurrence: next.instant.iso8601)
        }
        var times = schedule.civilOccurrences(after: occurrence.flatMap(CivilDateTime.init(iso8601:)))
        guard let civil = times.next() else { return nil }
        var timing = PushTiming(local: civil)
        timing.occurrence = civil.iso8601
        return timing
    }

    /// When the pushes of an occurrence are sent.
    func time(of occurrence: String) -> PushRequest.Time? {
        if zone != nil { return Instant(iso8601: occurrence).map { .at($0) } }
        return CivilDateTime(iso8601: occurrence).map { .local($0) }
    }
}
