public import APNs
public import Recurrence

/// What a message needs to know to become notifications, besides itself.
public struct MessageContext: Sendable, Hashable {
    /// The app's topic, for installations without one.
    public var topic: Topic
    /// The request's topic, which goes before that of installations; nil when it has none.
    public var topicOverride: Topic?
    /// The language of texts for devices whose own has none (``PushStore/AppSettings/defaultLanguage``).
    public var defaultLanguage: String?
    /// How long APNs keeps the notifications.
    public var expiration: Expiration
    /// The collapse id when the message has none: of the push, so that sending twice shows once.
    public var collapseID: CollapseID?
    /// When the push is sent; Live Activities without a time of their own get it.
    public var sentAt: Instant

    /// Makes a context.
    public init(
        topic: Topic, topicOverride: Topic? = nil, defaultLanguage: String? = nil,
        expiration: Expiration = .unspecified, collapseID: CollapseID? = nil, sentAt: Instant
    ) {
        self.topic = topic
        self.topicOverride = topicOverride
        self.defaultLanguage = defaultLanguage
        self.expiration = expiration
        self.collapseID = collapseID
        self.sentAt = sentAt
    }
}
