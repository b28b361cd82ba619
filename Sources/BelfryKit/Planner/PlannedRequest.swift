internal import Recurrence

/// A request that the planner wants to be pending.
struct PlannedRequest: Hashable, Sendable {
    /// What makes it fire.
    enum Trigger: Hashable, Sendable {
        /// When the device's clocks show a civil time.
        case civil(CivilDateTime)
        /// At an instant.
        case instant(Instant)
        /// Each time the clocks show the parts of a trigger; nil means those of the device.
        case repeating(RepeatingTrigger, Zone?)
    }

    var identifier: String
    /// Nil for the request to open the app.
    var key: String?
    var trigger: Trigger
    /// The civil time that the rule names; nil for snoozes and repeating requests.
    var civil: CivilDateTime?
    /// When it fires, as things stand; the first time of a repeating one.
    var instant: Instant
    /// What quiet hours did to it; nil when nothing.
    var quiet: QuietHours.Effect?
    /// A hash of content and trigger: a pending request with another one is out of date.
    var mark: String

    init(
        identifier: String, key: String?, trigger: Trigger, civil: CivilDateTime? = nil, instant: Instant,
        quiet: QuietHours.Effect? = nil, contentMark: UInt64
    ) {
        self.identifier = identifier
        self.key = key
        self.trigger = trigger
        self.civil = civil
        self.instant = instant
        self.quiet = quiet
        var hash = StableHash()
        hash.combine(String(contentMark, radix: 16))
        switch trigger {
        // The instant is part of what the request carries, so another zone makes it out of date.
        case .civil(let civil): hash.combine("civil \(civil.civilSeconds) \(instant.secondsSince1970)")
        case .instant(let instant): hash.combine("instant \(instant.secondsSince1970)")
        case .repeating(let trigger, let zone):
            hash.combine("repeating " + trigger.text)
            hash.combine(zone?.name)
        }
        if quiet == .silence { hash.combine("silent") }
        mark = hash.text
    }

    var isRepeating: Bool { if case .repeating = trigger { true } else { false } }

    /// Whether the device's own clocks decide.
    var isFloating: Bool {
        switch trigger {
        case .civil, .repeating(_, nil): true
        default: false
        }
    }
}
