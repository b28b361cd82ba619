internal import FoundationEssentials
public import Recurrence

/// Where an app's events are sent.
///
/// Only administrators of the service set addresses: whatever stands there is requested from inside its network.
public struct Webhook: Sendable, Hashable {
    /// How it is doing.
    public struct Health: Sendable, Hashable {
        /// Events that wait.
        public var waitingCount: Int
        /// Events that were given up, or found no room.
        public var droppedCount: Int
        /// Attempts that failed since the last success.
        public var failureCount: Int
        /// When it last took an event.
        public var succeededAt: Instant?
        /// Why the last failed attempt failed; nil after a success.
        public var failure: String?

        /// Makes the health of a new one.
        public init() {
            waitingCount = 0
            droppedCount = 0
            failureCount = 0
        }
    }

    /// The longest address, in bytes.
    public static let urlByteCountMax = 2048
    /// The most addresses an app may have.
    public static let countMaxPerApp = 20
    /// The most events that wait for one address; what comes then is dropped and counted.
    public static let waitingCountMax = 100_000

    /// The store's own number.
    public var number: Int64
    /// Where events are posted.
    public var url: String
    /// What requests are signed with; never to be printed but once.
    public var secret: String
    /// Which events.
    public var kinds: Set<WebhookEvent.Kind>
    /// When it was added.
    public var createdAt: Instant
    /// How it is doing.
    public var health: Health

    /// Makes a webhook; the store gives it its number.
    public init(
        number: Int64 = 0, url: String, secret: String,
        kinds: Set<WebhookEvent.Kind> = Set(WebhookEvent.Kind.allCases), createdAt: Instant,
        health: Health = Health()
    ) {
        self.number = number
        self.url = url
        self.secret = secret
        self.kinds = kinds
        self.createdAt = createdAt
        self.health = health
    }

    /// Finds what cannot be an address or a secret.
    func validate() throws(StoreError) {
        guard url.utf8.count <= Self.urlByteCountMax else {
            throw StoreError(
                .invalid,
                "url: \(url.utf8.count) bytes were found, at most \(Self.urlByteCountMax) are allowed")
        }
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), scheme == "http" || scheme == "https",
            let parts = URL(string: url), let host = parts.host, !host.isEmpty
        else { throw StoreError(.invalid, "url: http:// or https:// with a host is needed") }
        guard parts.user == nil, parts.password == nil else {
            throw StoreError(.invalid, "url: user names and passwords are not allowed; check the signature")
        }
        guard 16...256 ~= secret.utf8.count else {
            throw StoreError(.invalid, "secret: 16 to 256 bytes are needed")
        }
        guard !kinds.isEmpty else {
            throw StoreError(.invalid, "events: none was given, at least one is needed")
        }
    }
}
