package import APNs

/// Judges requests about broadcast channels: making, reading, listing, deleting, publishing.
///
/// Rules from Apple: Sending channel management requests to APNs; Sending broadcast push notification requests
/// to APNs; reasons from Handling error responses from Apple Push Notification service. The order is that of
/// ``RequestValidator``: path and method, repeated headers, credential, identifiers, app, then the operation.
package struct ChannelValidator: Sendable {
    /// The service requests come to.
    package let environment: Environment
    /// The rules where Apple leaves room.
    package let policy: GatewayPolicy
    /// The provider tokens that are good.
    package let verifier: ProviderTokenVerifier

    /// Makes a validator.
    package init(
        environment: Environment, policy: GatewayPolicy = GatewayPolicy(), verifier: ProviderTokenVerifier
    ) {
        self.environment = environment
        self.policy = policy
        self.verifier = verifier
    }

    /// Judges a request; nothing is changed in the directory, which is left to the caller.
    ///
    /// - Parameters:
    ///   - head: The request's header fields.
    ///   - route: What its path names; a device is BadPath here.
    ///   - body: The bytes of the body, as far as they were kept.
    ///   - bodyByteCount: How many bytes the body had in all.
    ///   - connection: The connection it came on.
    ///   - directory: What is known about channels.
    ///   - fault: A refusal to answer instead of accepting the request.
    ///   - nowMilliseconds: The time, in milliseconds since 1970.
    package func verdict(
        on head: RequestHead, route: Route, body: UnsafeRawBufferPointer, bodyByteCount: Int,
        connection: inout ConnectionMachine, directory: some ChannelDirectory,
        fault: Rejection? = nil, nowMilliseconds: Int64
    ) -> ChannelVerdict {
        let responseID = head.has(.requestID) ? ResponseID(echoing: head.requestID) : nil
        let (operation, app) = ChannelValidator.operation(head.method, route)
        var verdict = ChannelVerdict(
            responseID: responseID ?? connection.makeResponseID(), operation: operation,
            bundleID: Topic(utf8: app), payloadByteCount: bodyByteCount, outcome: .list)
        let reason =
            faultBeforeApp(
                head, operation, hasUsableID: responseID != nil || !head.has(.requestID),
                connection: &connection, nowMilliseconds: nowMilliseconds)
            ?? appFault(verdict.bundleID, connection: connection, directory: directory)
        if let reason {
            verdict.outcome = .rejected(Rejection(reason))
            return verdict
        }
        let request = Request(
            bundleID: verdict.bundleID?.rawValue ?? "", body: body, bodyByteCount: bodyByteCount)
        verdict.outcome = outcome(head, operation, request, directory)
        if let fault, verdict.rejection == nil {
            verdict.outcome = .rejected(fault)
            verdict.isFault = true
        }
        return verdict
    }

    private struct Request {
        let bundleID: String
        let body: UnsafeRawBufferPointer
        let bodyByteCount: Int
    }

    /// Apple answers BadPath to methods that exist elsewhere in the API, MethodNotAllowed to all others.
    private static func operation(
        _ method: RequestHead.Method, _ route: Route
    ) -> (JournalRecord.Operation, UnsafeRawBufferPointer) {
        switch (method, route) {
        case (.post, .broadcast(let app)): (.publish, app)
        case (.post, .channels(let app)): (.createChannel, app)
        case (.get, .channels(let app)): (.readChannel, app)
        case (.delete, .channels(let app)): (.deleteChannel, app)
        case (.get, .allChannels(let app)): (.listChannels, app)
        default: (.unknown, .none)
        }
    }

    private func faultBeforeApp(
        _ head: RequestHead, _ operation: JournalRecord.Operation, hasUsableID: Bool,
        connection: inout ConnectionMachine, nowMilliseconds: Int64
    ) -> Reason? {
        if connection.isDraining { return .shutdown }
        if operation == .unknown { return head.method == .other ? .methodNotAllowed : .badPath }
        if head.hasDuplicates(policy: policy.requests) { return .duplicateHeaders }
        if let reason = connection.authenticate(head, verifier: verifier, nowMilliseconds: nowMilliseconds) {
            return reason
        }
        guard hasUsableID, !head.has(.id) || ResponseID(echoing: head.id) != nil else { return .badMessageID }
        return nil
    }

    private func appFault(
        _ app: Topic?, connection: ConnectionMachine, directory: some ChannelDirectory
    ) -> Reason? {
        guard let app, app.suffixedPushType == nil else { return .topicDisallowed }
        guard connection.covers(bundleID: app.rawValue) else { return .topicMismatch }
        let isEnabled = directory.isBroadcastEnabled(bundleID: app.rawValue, environment: environment)
        return isEnabled ? nil : .featureNotEnabled
    }

    private func outcome(
        _ head: RequestHead, _ operation: JournalRecord.Operation, _ request: Request,
        _ directory: some ChannelDirectory
    ) -> ChannelVerdict.Outcome {
        switch operation {
        case .createChannel: return creation(request, directory)
        case .listChannels: return .list
        case .readChannel:
            return withChannel(head, request, directory) { _, configuration in .read(configuration) }
        case .deleteChannel:
            return withChannel(
                head, request, directory, unknownReason: policy.broadcasts.deletedChannelReason
            ) { channel, _ in .delete(channel) }
        case .publish:
            return withChannel(head, request, directory) { channel, configuration in
                publication(head, request, channel: channel, configuration: configuration)
            }
        case .push, .unknown: return .rejected(Rejection(.badPath))
        }
    }

    private func creation(
        _ request: Request, _ directory: some ChannelDirectory
    ) -> ChannelVerdict.Outcome {
        guard request.bodyByteCount <= policy.broadcasts.payloadByteCountMax else {
            return .rejected(Rejection(.payloadTooLarge))
        }
        let configuration: ChannelConfiguration
        switch ChannelConfiguration.read(json: Array(request.body)) {
        case .accepted(let accepted): configuration = accepted
        case .refused(let reason): return .rejected(Rejection(reason))
        }
        let count = directory.channelCount(bundleID: request.bundleID, environment: environment)
        guard count < policy.broadcasts.channelCountMax else {
            return .rejected(Rejection(.cannotCreateChannelConfig))
        }
        return .create(configuration)
    }

    private func withChannel(
        _ head: RequestHead, _ request: Request, _ directory: some ChannelDirectory,
        unknownReason: Reason = .channelNotRegistered,
        _ body: (ChannelID, ChannelConfiguration) -> ChannelVerdict.Outcome
    ) -> ChannelVerdict.Outcome {
        guard !head.channelID.isEmpty else { return .rejected(Rejection(.missingChannelID)) }
        guard let channel = ChannelID(utf8: head.channelID) else {
            return .rejected(Rejection(.badChannelID))
        }
        let configuration = directory.configuration(
            of: channel, bundleID: request.bundleID, environment: environment)
        guard let configuration else { return .rejected(Rejection(unknownReason)) }
        return body(channel, configuration)
    }

    private func publication(
        _ head: RequestHead, _ request: Request, channel: ChannelID,
        configuration: ChannelConfiguration
    ) -> ChannelVerdict.Outcome {
        let rules = policy.broadcasts
        guard let pushType = pushType(head) else {
            return .rejected(Rejection(head.pushType.isEmpty ? .missingPushType : .invalidPushType))
        }
        guard pushType == .liveactivity else { return .rejected(Rejection(.invalidPushType)) }
        let expiration = head.has(.expiration) ? Expiration(utf8: head.expiration) : .unspecified
        guard let expiration, head.has(.expiration) || !rules.requiresExpiration else {
            return .rejected(Rejection(.badExpirationDate))
        }
        if configuration.storagePolicy == .noMessage, case .at = expiration {
            return .rejected(Rejection(.badExpirationDate))
        }
        let priority = head.has(.priority) ? Priority(utf8: head.priority) : .high
        guard let priority, head.has(.priority) || !rules.requiresPriority else {
            return .rejected(Rejection(.badPriority))
        }
        guard request.bodyByteCount > 0 else { return .rejected(Rejection(.payloadEmpty)) }
        guard request.bodyByteCount <= rules.payloadByteCountMax else {
            return .rejected(Rejection(.payloadTooLarge))
        }
        let isKept = configuration.storagePolicy == .mostRecentMessage
        return .publish(
            ChannelVerdict.Broadcast(
                channel: channel, configuration: configuration, priority: priority,
                expiration: isKept ? expiration : .never))
    }

    private func pushType(_ head: RequestHead) -> PushType? {
        guard policy.broadcasts.ignoresPushTypeCase else { return PushType(utf8: head.pushType) }
        return PushType(ignoringCase: String(decoding: head.pushType, as: UTF8.self))
    }
}
