/// What the user wrote in answer to a notification.
///
/// Sendable: adds nothing to its superclass.
public final class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    /// The text.
    public var userText: String { record.userText ?? "" }
}
