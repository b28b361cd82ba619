package import APNs
package import APNsClient

/// Sends notifications to APNs, as ``APNsClient`` does.
package protocol NotificationClient: Sendable {
    /// Sends notifications and gives each one's outcome, in their order.
    ///
    /// Nothing is put on the wire once the permit has ended or the task is cancelled.
    func send(_ notifications: [Notification], permit: SendPermit?) async -> [Outcome]

    /// Waits for what is on the wire and sends nothing more.
    func shutdown() async
}

extension APNsClient: NotificationClient {}
