public import Recurrence

/// One browser in which a user of the console is signed in.
public struct ConsoleSession: Sendable, Hashable {
    /// The SHA-256 of the secret that the browser holds: whoever reads the database cannot sign in with it.
    public var digest: [UInt8]
    /// The user's name.
    public var user: String
    /// When the user signed in.
    public var createdAt: Instant
    /// When the session ends.
    public var expiresAt: Instant

    /// Makes a session.
    public init(digest: [UInt8], user: String, createdAt: Instant, expiresAt: Instant) {
        self.digest = digest
        self.user = user
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
