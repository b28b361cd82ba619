/// An object that can add to a notification's content.
///
/// Apple's framework takes only its own; so does this one.
public protocol UNNotificationContentProviding: NSObjectProtocol {}
