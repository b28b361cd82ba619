internal import APNs
internal import PushStore
internal import Recurrence

/// What a sender composes notifications of one push with: one composer, or one for each article of a digest.
struct ComposerShelf: Sendable {
    /// The digest and what chooses from it; nil for other pushes.
    private(set) var digest: Digest?
    private(set) var selection: DigestSelection?
    private var composers: [MessageComposer]
    let identity: NotificationIdentity

    var needsAttributes: Bool { composers.contains(where: \.needsAttributes) }

    /// Whether people see the push, so that quiet hours and frequency caps are for it.
    let isShown: Bool
    /// Whether a repeated notification takes the place of the first.
    let isShownOnce: Bool

    /// Reads a push's message.
    ///
    /// - Throws: a ``ChangeError`` that names what is wrong with it.
    init(_ push: Push, app: App) throws(ChangeError) {
        identity = NotificationIdentity(push: push.objectID)
        digest = try push.request.digest.map { json throws(ChangeError) in try Digest(json) }
        selection = digest.map(DigestSelection.init)
        var messages: [Message] = []
        if let digest {
            for article in digest.articles {
                messages.append(
                    try Message(data: push.request.data.merging(article.data) { $1 }))
            }
        } else {
            messages = [try Message(data: push.request.data)]
        }
        let type = messages[0].pushType(deviceType: nil)
        isShown = type == .alert
        isShownOnce = type == .alert || type == .background
        composers = []
        for message in messages {
            composers.append(
                try MessageComposer(message, context: Self.context(push, app: app, isShownOnce: isShownOnce)))
        }
    }

    private static func context(
        _ push: Push, app: App, isShownOnce: Bool
    ) throws(ChangeError) -> MessageContext {
        do throws(APNsError) {
            return MessageContext(
                topic: try Topic(app.topic),
                topicOverride: try push.request.topic.map { text throws(APNsError) in try Topic(text) },
                defaultLanguage: app.settings.defaultLanguage,
                expiration: push.expiresAt.map { .at(secondsSince1970: $0.secondsSince1970) } ?? .unspecified,
                collapseID: isShownOnce ? try CollapseID(push.objectID) : nil, sentAt: push.dueAt)
        } catch {
            throw ChangeError(code: 1, error.message)
        }
    }

    /// What is published on the channel the push names; nil when it names none.
    ///
    /// - Throws: what keeps it from being a broadcast.
    func broadcast() throws(ChangeError) -> BroadcastMessage? { try composers.first?.broadcast() ?? nil }

    /// What an installation is sent.
    ///
    /// - Parameter article: which article of a digest.
    mutating func compose(
        for installation: SendableInstallation, badge: Int64, article: Int
    ) -> Composition {
        composers[article].compose(for: installation, badge: badge)
    }

    /// The article an installation gets; nil when it has seen all.
    mutating func choose(_ row: DigestRow) -> Int? {
        selection?.best(interests: row.interests, seen: row.seen)
    }
}
