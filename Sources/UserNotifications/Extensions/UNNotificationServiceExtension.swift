/// Changes remote notifications before they are shown: a subclass overrides both functions.
///
/// It is run for a remote notification with `mutable-content` and something to read, if the app may show alerts. One
/// object can get several notifications, one after another.
///
/// Sendable: it has no state of its own; a subclass guards what it adds, as it must on iOS, where the end of the time is
/// told on another thread.
open class UNNotificationServiceExtension: NSObject, @unchecked Sendable {
    /// Makes an extension.
    public override init() { super.init() }

    /// A notification to change.
    ///
    /// - Parameters:
    ///   - request: what came; its identifier stays whatever the content becomes.
    ///   - contentHandler: takes what is shown, within about 30 s. Without text the original is shown.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// The time is over: the last chance to call the content handler.
    open func serviceExtensionTimeWillExpire() {}
}
