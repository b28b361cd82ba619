public import Recurrence

/// A key that clients or servers of an app prove themselves with; several may be valid at once.
public struct AppKey: Sendable, Hashable {
    /// What a key allows.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Registering and updating installations, from apps.
        case app
        /// Everything.
        case master
    }

    /// What the key allows.
    public var kind: Kind
    /// The key itself; never to be printed.
    public var secret: String
    /// When it was made.
    public var createdAt: Instant
    /// From when on it is refused; nil while it is the current one.
    public var expiresAt: Instant?

    /// Makes a key.
    public init(kind: Kind, secret: String, createdAt: Instant, expiresAt: Instant? = nil) {
        self.kind = kind
        self.secret = secret
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
