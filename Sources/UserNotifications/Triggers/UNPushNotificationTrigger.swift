/// The trigger of remote notifications, which the system makes.
///
/// Sendable: adds nothing to its superclass.
public final class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}
