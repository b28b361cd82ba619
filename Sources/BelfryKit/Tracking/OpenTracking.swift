/// Counts the pushes that users opened, for the push service.
///
/// An open is kept on the device before the app hears of it, and until the service has it: at least once over the wire,
/// once in the service's record.
///
/// Safe from any thread.
public final class OpenTracking: Sendable {
    private let queue: ReportQueue

    init(queue: ReportQueue) {
        self.queue = queue
    }

    /// How many opens, and receipts of the app, the service does not have yet.
    public var pendingCount: Int { queue.pendingCount(.opened, .delivered) }

    /// The user answered a notification: a tap or a button of a push counts, clearing it does not.
    func record(_ response: ReceivedResponse) {
        guard response.gesture != .dismiss, let pushID = response.notification.pushID else { return }
        record(pushID: pushID)
    }

    /// Counts an open that did not come through the notification centre, such as one of a banner that the app drew.
    ///
    /// A push that was counted before is not counted again.
    public func record(pushID: String) { queue.add(.opened, pushID: pushID) }

    /// A push reached the app itself: counted as received, where the app wants that.
    func receive(_ notification: ReceivedNotification) {
        guard let pushID = notification.pushID else { return }
        queue.add(.delivered, pushID: pushID)
    }

    /// Waits until there is nothing to send, or nothing that can be sent now.
    ///
    /// For tests and simulators.
    public func settle() async { await queue.settle() }
}
