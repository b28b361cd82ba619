internal import Recurrence

extension Planner {
    /// What reminders show next, without looking at slots.
    static func upcoming(
        _ reminders: [CompiledReminder], countMax: Int, after now: Instant, in zone: Zone, memory: PlanMemory,
        quietHours: QuietHours? = nil
    ) -> [UpcomingReminder] {
        var streams = reminders.map {
            RequestStream(
                $0, keyPlan: 0, after: now, in: zone, shownThrough: memory.shownThrough[$0.key], pending: [:],
                isRepeating: false, quietHours: quietHours)
        }
        streams.removeAll { $0.nextInstant == nil }
        // Only the soonest reminders can be among the first ones.
        streams.sort { ($0.nextInstant ?? now) < ($1.nextInstant ?? now) }
        streams = Array(streams.prefix(max(0, countMax)))
        var found: [UpcomingReminder] = []
        while found.count < countMax {
            guard
                let soonest = streams.indices.min(by: {
                    (streams[$0].nextInstant ?? now) < (streams[$1].nextInstant ?? now)
                }), let request = streams[soonest].next()
            else { break }
            found.append(
                UpcomingReminder(
                    key: request.key ?? "", instant: request.instant, civil: request.civil,
                    quietHours: request.quiet))
            if streams[soonest].nextInstant == nil { streams.remove(at: soonest) }
        }
        return found
    }
}
