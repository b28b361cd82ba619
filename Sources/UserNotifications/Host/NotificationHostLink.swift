/// What a host tells its notification centre.
///
/// Calls return at once; what they cause happens on the centre's queue, in the order of the calls.
public struct NotificationHostLink: Sendable {
    /// Weak, since the centre holds the host that holds this link.
    ///
    /// Sendable: set when it is made, and only read afterwards.
    private final class Reference: @unchecked Sendable {
        weak var service: NotificationService?

        init(_ service: NotificationService) { self.service = service }
    }

    private let reference: Reference

    init(service: NotificationService) { reference = Reference(service) }

    private var service: NotificationService? { reference.service }

    /// The time of a wake has come: what is due is delivered.
    public func fireDue() { service?.fireDue() }

    /// The same, done when this returns, except what the app in the foreground is asked.
    ///
    /// For hosts in memory: the centre's state is saved meanwhile.
    package func fireDueAndWait() { service?.fireDueAndWait() }

    /// The device's zone or calendar has changed: triggers without one of their own move.
    public func zoneChanged() { service?.reschedule() }

    /// The user tapped a notification.
    public func tap(_ identifier: String) { service?.respond(to: identifier, with: .tap) }

    /// The user cleared a notification; the app hears of it if its category says so.
    public func dismiss(_ identifier: String) { service?.respond(to: identifier, with: .dismiss) }

    /// The user pressed a button of a notification.
    ///
    /// - Parameter userText: what the user wrote, for an action that asks for a text.
    public func act(_ identifier: String, action: String, userText: String? = nil) {
        service?.respond(to: identifier, with: .action(action, userText: userText))
    }

    /// Waits until everything that was asked of the centre is done, its calls of the app included.
    public func settle() async { await service?.settle() }

    /// The host waits for a person: `settle` does not wait for that until `unpark`.
    package func park() { service?.park() }

    /// The person has answered.
    package func unpark() { service?.unpark() }

    /// `settle` waits no longer for what is going on now: a delegate that never answers.
    package func parkAll() { service?.parkAll() }

    /// Counts everything that was ever begun; unchanged, nothing new was.
    package var begunCount: Int { service?.begunCount ?? 0 }
}
