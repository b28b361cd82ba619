/// What an app is told by its notification centre.
///
/// Every function is optional, and the first two exist in two spellings, with a completion handler and `async`: the
/// app writes either one, and that one is called. (The centre calls the second spelling. Its default calls the first
/// one, whose default answers at once: so there is no circle, and without either the answer is "show nothing".)
///
/// Functions are called on the main actor, async ones where they are isolated to. A completion handler may be called on
/// any thread, also later; calling it again does nothing.
@preconcurrency public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// A notification arrives while the app is in the foreground; the answer says how it is presented.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

    /// A notification arrives while the app is in the foreground; the answer says how it is presented.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// The user acted on a notification; the handler has to be called when the app is done with it.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

    /// The user acted on a notification.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async

    /// The user wants to see the app's own notification settings.
    ///
    /// - Parameter notification: the one from which the user came; nil from Settings.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
    /// Shows nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([])
    }

    /// Asks the spelling with a completion handler.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await DelegateCall(self).presentWithHandler(notification, in: center)
    }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
    }

    /// Tells the spelling with a completion handler.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        await DelegateCall(self).receiveWithHandler(response, in: center)
    }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {}
}
