/// A screen for the notifications of this machine's apps.
///
/// Functions are called on a queue of the centre, one after another.
public protocol NotificationPresenter: AnyObject, Sendable {
    /// A centre begins to use the screen, and wants to hear of what the user does.
    func start(_ link: NotificationHostLink)
    /// Shows a notification, in place of one of the same identifier.
    func show(
        _ notification: UNNotification, category: UNNotificationCategory?,
        presentation: NotificationPresentation)
    /// Takes notifications off the screen.
    func withdraw(_ identifiers: [String])
    /// Sets the number on the app's icon.
    func setBadge(_ count: Int)
}
