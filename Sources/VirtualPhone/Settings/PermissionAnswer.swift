public import UserNotifications

/// What the user says when an app asks whether it may notify.
public enum PermissionAnswer: Sendable {
    /// Allow.
    case allow
    /// Don't Allow.
    case deny
    /// What a closure decides, from the app's bundle identifier and what it asks for.
    case ask(@Sendable (String, UNAuthorizationOptions) async -> Bool)
    /// The question stays on the screen until ``VirtualPhone/answerPermission(isAllowed:)``.
    case wait
}

/// A question on the screen.
public struct PermissionPrompt: Hashable, Sendable, Codable {
    /// The bundle identifier of the app that asks.
    public var app: String
    /// The app's name.
    public var name: String
}
