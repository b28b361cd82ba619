internal import Recurrence

/// A trigger that fires so many seconds after its request is added.
///
/// Sendable: its properties never change.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    private let added: Instant?

    init(record: TriggerRecord, added: Instant?) {
        self.added = added
        super.init(record: record)
    }

    /// Makes a trigger.
    ///
    /// Other intervals end the process, as Apple's exception does, unless the host's policy is to record them.
    /// - Parameters:
    ///   - timeInterval: seconds, above 0, and at least 60 to repeat.
    ///   - repeats: whether it fires again and again.
    public convenience init(timeInterval: TimeInterval, repeats: Bool) {
        if !(timeInterval > 0) {
            NotificationScope.misuse("time interval: found \(timeInterval) s, allowed: above 0 s")
        } else if repeats, timeInterval < TriggerRecord.repeatingIntervalSecondsMin {
            NotificationScope.misuse(
                "time interval: found \(timeInterval) s, allowed: at least 60 s if it repeats")
        }
        // JSON has no infinity, and no trigger either.
        self.init(
            record: .interval(seconds: timeInterval.isFinite ? timeInterval : 0, repeats: repeats), added: nil
        )
    }

    /// Reads a trigger of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        added = nil
        super.init(coder: coder)
    }

    /// Seconds until it fires.
    open var timeInterval: TimeInterval {
        if case .interval(let seconds, _) = record { seconds } else { 0 }
    }

    /// The interval from now, also for one that is pending: so iOS counts, by its developers' reports.
    ///
    /// The host's policy can make it the date at which a pending one really fires.
    open func nextTriggerDate() -> Date? {
        let context = NotificationScope.context
        let isFromAdding = context.policy.intervalDate == .fromAdding
        return record.next(
            after: context.now, added: isFromAdding ? added ?? context.now : context.now, in: context)?.date
    }
}
