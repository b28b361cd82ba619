/// A delegate on its way to the main actor and from there.
///
/// Sendable: the functions with completion handlers are called on the main actor only; the async ones have an isolation
/// of their own, which the compiler enforces where they are written.
struct DelegateCall: @unchecked Sendable {
    private let delegate: any UNUserNotificationCenterDelegate

    init(_ delegate: any UNUserNotificationCenterDelegate) { self.delegate = delegate }

    func present(
        _ notification: UNNotification, in center: UNUserNotificationCenter
    ) async -> UNNotificationPresentationOptions {
        await delegate.userNotificationCenter(center, willPresent: notification)
    }

    func receive(_ response: UNNotificationResponse, in center: UNUserNotificationCenter) async {
        await delegate.userNotificationCenter(center, didReceive: response)
    }

    @MainActor func openSettings(for notification: UNNotification?, in center: UNUserNotificationCenter) {
        delegate.userNotificationCenter(center, openSettingsFor: notification)
    }

    @MainActor func presentWithHandler(
        _ notification: UNNotification, in center: UNUserNotificationCenter
    ) async -> UNNotificationPresentationOptions {
        await withCheckedContinuation { continuation in
            let completion = OnceCompletion(continuation, fallback: [])
            delegate.userNotificationCenter(
                center, willPresent: notification, withCompletionHandler: { completion.call($0) })
        }
    }

    @MainActor func receiveWithHandler(
        _ response: UNNotificationResponse, in center: UNUserNotificationCenter
    ) async {
        await withCheckedContinuation { continuation in
            let completion = OnceCompletion(continuation, fallback: ())
            delegate.userNotificationCenter(
                center, didReceive: response, withCompletionHandler: { completion.call(()) })
        }
    }
}
