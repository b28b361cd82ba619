public import Recurrence

/// Somebody who may use the console.
public struct ConsoleUser: Sendable, Hashable {
    /// What somebody may do, from the least to the most.
    public enum Role: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Looks at everything but keys.
        case viewer
        /// Sends, pauses and cancels too.
        case sender
        /// Changes apps, keys, credentials and users too.
        case owner

        /// Whether the left one may do less.
        public static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .viewer: 0
            case .sender: 1
            case .owner: 2
            }
        }
    }

    /// The longest name, in characters.
    public static let nameCountMax = 64

    /// What the user signs in with; unique.
    public var name: String
    /// What the user may do.
    public var role: Role
    /// The password as a slow hash with its salt; never to be printed.
    public var passwordHash: String
    /// When the user was added.
    public var createdAt: Instant
    /// When the user last signed in; nil before the first time.
    public var signedInAt: Instant?

    /// Makes a user.
    public init(
        name: String, role: Role, passwordHash: String, createdAt: Instant, signedInAt: Instant? = nil
    ) {
        self.name = name
        self.role = role
        self.passwordHash = passwordHash
        self.createdAt = createdAt
        self.signedInAt = signedInAt
    }

    /// Finds what cannot be a name.
    func validate() throws(StoreError) {
        guard (1...Self.nameCountMax).contains(name.count),
            name.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f })
        else {
            throw StoreError(
                .invalid, "name: allowed are 1 to \(Self.nameCountMax) characters without blanks")
        }
        guard !passwordHash.isEmpty else { throw StoreError(.invalid, "password: it is empty") }
    }
}
