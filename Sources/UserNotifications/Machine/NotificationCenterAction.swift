/// What the world around the machine has to do, in this order.
package enum NotificationCenterAction: Hashable, Sendable {
    /// The app is in the foreground and decides: answer with `present`.
    case ask(NotificationRecord)
    case show(NotificationRecord, NotificationPresentation)
    /// Delivered notifications leave screen and list.
    case withdraw([String])
    case setBadge(Int)
    /// Something that an app's developer should know and Apple's framework keeps to itself.
    case diagnose(String)
}
