internal import Recurrence

/// What the planner has to know of the plan before: which occurrences were shown in another zone.
///
/// After a flight west the clocks show some times again, and what floats must not fire a second time. An occurrence
/// counts as shown when it was planned, its instant has passed in the zone of that plan, and it is not pending.
struct PlanMemory: Hashable, Sendable, Codable {
    /// The device's zone at the last plan.
    var zone: String?
    /// Up to which civil time, in civil seconds, everything of a key was planned; repeating requests have none.
    var plannedThrough: [String: Int] = [:]
    /// Up to which civil time everything of a key was shown, where that is later than the clocks show.
    var shownThrough: [String: Int] = [:]

    /// Draws the conclusions of a change of the zone.
    mutating func enter(_ zone: Zone, at now: Instant, floating: (String) -> Bool) {
        let present = zone.civil(at: now).civilSeconds
        shownThrough = shownThrough.filter { $0.value > present }
        defer { self.zone = zone.name }
        guard let name = self.zone, name != zone.name, let old = Zone(stored: name) else { return }
        let past = old.civil(at: now).civilSeconds
        for (key, planned) in plannedThrough where floating(key) {
            let shown = min(planned, past)
            if shown > present { shownThrough[key] = max(shown, shownThrough[key] ?? shown) }
        }
    }

    /// Notes which requests are in the list of what was delivered.
    ///
    /// - Returns: whether there were any.
    mutating func note(shown requests: [PlannedRequest], in delivered: Set<String>) -> Bool {
        var isAny = false
        for request in requests where delivered.contains(request.identifier) {
            guard let key = request.key, let civil = request.civil?.civilSeconds else { continue }
            shownThrough[key] = max(civil, shownThrough[key] ?? civil)
            isAny = true
        }
        return isAny
    }
}

extension Zone {
    /// Reads a name that was stored: of the database, or the offset of a zone without a name.
    init?(stored name: String) {
        if let zone = try? Zone(name) {
            self = zone
            return
        }
        let digits = name.utf8.compactMap { (0x30...0x39).contains($0) ? Int($0 - 0x30) : nil }
        guard digits.count == 4, let sign = name.utf8.first, sign == 0x2b || sign == 0x2d else { return nil }
        let seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
        try? self.init(offsetSeconds: sign == 0x2d ? -seconds : seconds)
    }
}
