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
            if let increment = message.badgeIncrement { increments.append(increment) }
            let composer = try MessageComposer(message, context: try context(request, app: app, now: now))
            if let broadcast = try composer.broadcast() {
                request.broadcastChannel = broadcast.channel.rawValue
            }
        }
        if request.broadcastChannel != nil { try checkBroadcast(request) }
        request.badgeIncrement = increments.max()
        return request
    }

    /// A broadcast goes to whoever follows its channel, for all of them at once.
    private static func checkBroadcast(_ request: PushRequest) throws(ChangeError) {
        func refuse(_ text: String) -> ChangeError {
            ChangeError(
                code: 1, "data.apns-channel-id: a broadcast goes to whoever follows its channel; \(text)")
        }
        guard request.filter == nil, request.channels == nil, request.deviceTokens == nil, !request.isTest
        else {
            throw refuse("there is no where, channels or device_ids with it")
        }
        guard request.digest == nil else { throw refuse("it has no articles to choose from") }
        if case .local = request.time {
            throw refuse("its time is the same for all, so it needs a time zone")
        }
        if request.schedule?.zone == .device {
            throw refuse("its times are the same for all, so schedule.timezone names a zone")
        }
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
