package import Recurrence

extension NotificationCenterMachine {
    /// The app adds a request.
    ///
    /// - Returns: the error that its completion handler gets, if any. No error does not mean that it is pending.
    package mutating func add(
        _ request: RequestRecord, in context: TriggerContext, surroundings: NotificationSurroundings
    ) -> (error: UNError.Code?, actions: [NotificationCenterAction]) {
        let policy = context.policy
        guard mayNotify else {
            let note = NotificationCenterAction.diagnose(
                "request '\(request.identifier)' is dropped: the app may not notify")
            return (policy.unauthorizedAdd == .report ? .notificationsNotAllowed : nil, [note])
        }
        guard request.content.hasEffect || policy.emptyContent == .accept else {
            return (.notificationInvalidNoContent, [])
        }
        guard let trigger = request.trigger else {
            state.pending[request.identifier] = nil
            return (nil, deliver(request, at: context.now, surroundings: surroundings, policy: policy))
        }
        var actions: [NotificationCenterAction] = []
        var next: Instant?
        if case .location = trigger {
        } else {
            next = trigger.next(after: context.now, added: context.now, in: context)
            guard next != nil else {
                state.pending[request.identifier] = nil
                return (nil, [.diagnose(Self.neverFires(request, trigger))])
            }
        }
        insert(request, next: next, at: context.now)
        if state.pending.count > policy.pendingCountMax {
            actions += makeRoom(for: request.identifier, policy: policy)
        }
        return (nil, actions)
    }

    private mutating func insert(_ request: RequestRecord, next: Instant?, at now: Instant) {
        state.pending[request.identifier] = PendingRecord(
            request: request, sequence: state.nextSequence, added: now, next: next)
        state.nextSequence += 1
    }

    private mutating func makeRoom(
        for newest: String, policy: NotificationPolicy
    ) -> [NotificationCenterAction] {
        let victim: String?
        switch policy.overflow {
        case .keepLastAdded:
            victim = state.pending.values.min { $0.sequence < $1.sequence }?.request.identifier
        case .keepSoonest:
            // A place has no date, and of equal dates the later addition goes.
            victim =
                state.pending.values.max {
                    ($0.nextMilliseconds ?? .max, $0.sequence) < ($1.nextMilliseconds ?? .max, $1.sequence)
                }?.request.identifier
        case .reject: victim = newest
        }
        guard let victim else { return [] }
        state.pending[victim] = nil
        return [
            .diagnose(
                "request '\(victim)' is dropped: \(policy.pendingCountMax) are pending "
                    + "(policy \(policy.overflow.rawValue))")
        ]
    }

    private static func neverFires(_ request: RequestRecord, _ trigger: TriggerRecord) -> String {
        let reason =
            switch trigger {
            case .calendar(let match, _):
                match.diagnosis ?? "its date is past, or no date has all of its parts"
            case .interval(let seconds, let repeats):
                "an interval is above 0 s, and at least 60 s to repeat; found \(seconds) s, repeats \(repeats)"
            case .push, .location: "its trigger is for the system to make"
            }
        return "request '\(request.identifier)' never fires: \(reason)"
    }

    /// The device's zone or calendar changed: dates without a zone of their own move.
    package mutating func reschedule(in context: TriggerContext) {
        for (identifier, record) in state.pending {
            guard case .calendar(let match, _) = record.request.trigger, let next = record.next,
                match.zoneName == nil || match.calendar == nil, next > context.now
            else { continue }
            // One that the move puts into the past does not come any more.
            guard let moved = match.next(after: context.now, in: context) else {
                state.pending[identifier] = nil
                continue
            }
            state.pending[identifier]?.nextMilliseconds = moved.millisecondsSince1970
        }
    }
}

extension TriggerRecord {
    /// The smallest interval that can repeat, in seconds (Apple: `UNTimeIntervalNotificationTrigger`).
    static let repeatingIntervalSecondsMin = 60.0
    /// Longer ones would leave the range of dates: a thousand years.
    private static let intervalSecondsMax = 31_556_952_000.0

    /// When the trigger fires after a moment; nil for never, or when a place decides.
    package func next(after moment: Instant, added: Instant, in context: TriggerContext) -> Instant? {
        switch self {
        case .push, .location: return nil
        case .calendar(let match, _): return match.next(after: moment, in: context)
        case .interval(let seconds, let repeats):
            guard seconds > 0, seconds <= Self.intervalSecondsMax,
                !repeats || seconds >= Self.repeatingIntervalSecondsMin
            else { return nil }
            let step = max(1, Int64((seconds * 1000).rounded()))
            let passed = moment.millisecondsSince1970 - added.millisecondsSince1970
            let count = repeats && passed > 0 ? passed / step + 1 : 1
            return added.advanced(byMilliseconds: count * step)
        }
    }
}
