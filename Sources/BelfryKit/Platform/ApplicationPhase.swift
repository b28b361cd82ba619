/// What an app is doing, as the system sees it.
public enum ApplicationPhase: String, Sendable, Hashable, CaseIterable, Codable {
    /// The process has begun and has not finished launching.
    case launching
    /// Running without being seen, or about to come back.
    case background
    /// Seen and getting no events: on its way to the front or from it, or under a system alert.
    case inactive
    /// In front of the user.
    case active
}
