/// Changes remote notifications before they are shown: a subclass overrides both functions.
///
/// It is run for a remote notification with `mutable-content` and something to read, if the app may show alerts. One
/// object can get several notifications, one after another.
///
/// The end of the time is told on another thread than the notification: a subclass guards what both use.
open class UNNotificationServiceExtension: NSObject {
    /// Makes an extension.
    public override init() { super.init() }

    /// A notification to change.
    ///
    /// - Parameters:
    ///   - request: what came; its identifier stays whatever the content becomes.
    ///   - contentHandler: takes what is shown, within about 30 s. Without text the original is shown.
    @preconcurrency open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// The time is over: the last chance to call the content handler.
    open func serviceExtensionTimeWillExpire() {}
}
