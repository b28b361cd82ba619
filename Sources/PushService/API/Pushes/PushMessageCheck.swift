internal import APNs
internal import PushStore
internal import Recurrence

/// Looks at a push's message before the push is accepted: what cannot be sent is refused while somebody listens.
enum PushMessageCheck {
    /// The request with what its message says about badges.
    ///
    /// - Throws: a ``ChangeError`` that names the field.
    static func checked(_ request: PushRequest, app: App, now: Instant) throws(ChangeError) -> PushRequest {
        var request = request
        let digest = try request.digest.map { json throws(ChangeError) in try Digest(json) }
        var increments: [Int64] = []
        for data in digest.map({ $0.articles.map { request.data.merging($0.data) { $1 } } }) ?? [request.data]
        {
            let message = try Message(data: data)
            guard message.broadcastChannel == nil else {
                throw ChangeError(
                    code: 1,
                    "data.apns-channel-id: the service sends to devices; a broadcast channel has none and is not published to"
                )
            }
            if let increment = message.badgeIncrement { increments.append(increment) }
            _ = try MessageComposer(message, context: try context(request, app: app, now: now))
        }
        request.badgeIncrement = increments.max()
        return request
    }

    /// What a dry run says of the message.
    static func findings(_ request: PushRequest, app: App, now: Instant) -> [MessageFinding] {
        do throws(ChangeError) {
            let composer = try MessageComposer(
                try Message(data: request.data), context: try context(request, app: app, now: now))
            return composer.report(now: now.secondsSince1970).findings
        } catch {
            return [
                MessageFinding(severity: .error, rule: "message", keyPath: "data", message: error.message)
            ]
        }
    }

    /// A finding as a dry run shows it.
    static func json(_ finding: MessageFinding) -> JSONValue {
        [
            "severity": .string("\(finding.severity)"), "rule": .string(finding.rule),
            "key": .string(finding.keyPath), "message": .string(finding.message),
            "languages": .array(finding.languages.map(JSONValue.string)),
        ]
    }

    private static func context(
        _ request: PushRequest, app: App, now: Instant
    ) throws(ChangeError) -> MessageContext {
        do throws(APNsError) {
            return MessageContext(
                topic: try Topic(app.topic),
                topicOverride: try request.topic.map { text throws(APNsError) in try Topic(text) },
                defaultLanguage: app.settings.defaultLanguage,
                expiration: request.expiresAt(sentAt: now)
                    .map { .at(secondsSince1970: $0.secondsSince1970) } ?? .unspecified,
                sentAt: now)
        } catch {
            throw ChangeError(code: 1, "topic: \(error.message)")
        }
    }
}
