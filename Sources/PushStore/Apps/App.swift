public import Recurrence

/// One customer app: the owner of installations, pushes and credentials.
public struct App: Sendable, Hashable {
    /// The store's own number, used wherever rows refer to an app.
    public let number: Int64
    /// What clients send as `X-LC-Id`.
    public let id: String
    /// A name for people.
    public var name: String
    /// The bundle id that installations without `apnsTopic` are sent under.
    public var topic: String
    /// How the service treats the app.
    public var settings: AppSettings
    /// When it was made.
    public let createdAt: Instant

    /// Makes a value of what is stored.
    public init(
        number: Int64, id: String, name: String, topic: String, settings: AppSettings, createdAt: Instant
    ) {
        self.number = number
        self.id = id
        self.name = name
        self.topic = topic
        self.settings = settings
        self.createdAt = createdAt
    }
}
