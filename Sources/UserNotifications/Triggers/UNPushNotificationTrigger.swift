/// The trigger of remote notifications, which the system makes.
///
/// Sendable: adds nothing to its superclass.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}
