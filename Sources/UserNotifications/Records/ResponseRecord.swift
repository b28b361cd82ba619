/// What the user did with a notification.
package struct ResponseRecord: Hashable, Sendable, Codable {
    package var notification: NotificationRecord
    package var actionIdentifier: String
    /// For an action that asks for a text.
    package var userText: String?
    /// Whether the app comes to the foreground.
    package var opensApp: Bool
    /// Whether the device has to be unlocked first.
    package var needsUnlock: Bool
}
