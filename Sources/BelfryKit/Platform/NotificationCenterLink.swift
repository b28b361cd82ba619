internal import Foundation
internal import UserNotifications

/// The app's notification centre, as the parts of the library use it: values go in and come out, objects stay inside.
///
/// Sendable: a centre may be used on any thread (Apple: UNUserNotificationCenter), and the reference never changes.
struct NotificationCenterLink: @unchecked Sendable {
    let center: UNUserNotificationCenter

    init(_ center: UNUserNotificationCenter) {
        self.center = center
    }

    /// Reads what the user allows; the handler is called on a background queue, in the order of the calls.
    func readPermission(_ handler: @escaping @Sendable (NotificationPermission) -> Void) {
        center.getNotificationSettings { handler(NotificationPermission($0)) }
    }

    /// Asks the user, who sees a question only where the system has not asked yet.
    func requestAuthorization(_ options: UNAuthorizationOptions) async throws(BelfryKitError) -> Bool {
        let answer: Result<Bool, BelfryKitError> = await withCheckedContinuation { continuation in
            center.requestAuthorization(options: options) { isGranted, error in
                if let error {
                    continuation.resume(
                        returning: .failure(BelfryKitError(code: .permission, message: "\(error)")))
                } else {
                    continuation.resume(returning: .success(isGranted))
                }
            }
        }
        return try answer.get()
    }

    /// What is in the list, by identifier and by what a reader takes for one thing.
    var delivered: [(identifier: String, key: String)] {
        get async {
            await withCheckedContinuation { continuation in
                center.getDeliveredNotifications { notifications in
                    continuation.resume(
                        returning: notifications.map { notification in
                            let received = ReceivedNotification(notification)
                            let thread = received.thread.isEmpty ? received.identifier : received.thread
                            return (received.identifier, received.reminderKey ?? thread)
                        })
                }
            }
        }
    }

    /// Takes notifications out of the list.
    func removeDelivered(_ identifiers: [String]) {
        if !identifiers.isEmpty { center.removeDeliveredNotifications(withIdentifiers: identifiers) }
    }

    /// Adds a request, made where it is used up.
    func add(
        identifier: String, trigger: UNNotificationTrigger? = nil, content: UNNotificationContent
    ) async throws(BelfryKitError) {
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
        let failure: BelfryKitError? = await withCheckedContinuation { continuation in
            center.add(request) { error in
                continuation.resume(
                    returning: error.map { BelfryKitError(code: .notification, message: "\($0)") })
            }
        }
        if let failure { throw failure }
    }
}
