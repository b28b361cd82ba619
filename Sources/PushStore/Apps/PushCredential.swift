public import APNs
public import Recurrence

/// A key or certificate that APNs knows an app's team by.
public struct PushCredential: Sendable, Hashable {
    /// What it is made of; secret, never to be printed.
    public enum Secret: Sendable, Hashable {
        /// A `.p8` provider key.
        case key(p8: String, keyID: String, teamID: String)
        /// Certificates and private key in PEM.
        case certificate(pem: String)
    }

    /// The store's own number.
    public var number: Int64
    /// The key or certificate.
    public var secret: Secret
    /// The environments it is used for; both for most keys.
    public var environments: Set<Environment>
    /// The team, where it is known: of a key always, of a certificate from its subject.
    public var teamID: String?
    /// LeanCloud's `deviceProfile`: when set, it is used only for installations and pushes that name it.
    public var deviceProfile: String?
    /// The topics it may send to; empty for all of its team.
    public var topics: [String]
    /// When a certificate ends; nil for keys.
    public var expiresAt: Instant?
    /// When it was added.
    public var createdAt: Instant
    /// How the latest check against APNs ended; nil before the first.
    public var check: Check?

    /// The end of one check against APNs.
    public struct Check: Sendable, Hashable, Codable {
        /// When, in milliseconds since 1970.
        public var atMilliseconds: Int64
        /// Whether APNs knows it.
        public var isGood: Bool
        /// What APNs answered, in words.
        public var message: String

        /// Makes a result.
        public init(atMilliseconds: Int64, isGood: Bool, message: String) {
            self.atMilliseconds = atMilliseconds
            self.isGood = isGood
            self.message = message
        }
    }

    /// Makes a credential; the store gives it its number.
    public init(
        number: Int64 = 0, secret: Secret, environments: Set<Environment>, teamID: String? = nil,
        deviceProfile: String? = nil, topics: [String] = [], expiresAt: Instant? = nil, createdAt: Instant,
        check: Check? = nil
    ) {
        self.number = number
        self.secret = secret
        self.environments = environments
        self.teamID = teamID
        self.deviceProfile = deviceProfile
        self.topics = topics
        self.expiresAt = expiresAt
        self.createdAt = createdAt
        self.check = check
    }
}
