package import APNs

/// Judges pushes to devices in the order in which APNs is taken to check them.
///
/// Only that the credential comes before the token was ever observed; the rest of the order is this
/// simulator's, and the same for every request: path, method, repeated headers, credential, token present,
/// apns-id, expiration, priority, collapse identifier, push type, topic, body, token, its environment, its
/// topic, its state, its rate.
package struct RequestValidator: Sendable {
    /// The service requests come to.
    package let environment: Environment
    /// The rules where Apple leaves room.
    package let policy: GatewayPolicy.Requests
    /// The provider tokens that are good.
    package let verifier: ProviderTokenVerifier

    /// Makes a validator.
    package init(
        environment: Environment, policy: GatewayPolicy.Requests = GatewayPolicy.Requests(),
        verifier: ProviderTokenVerifier
    ) {
        self.environment = environment
        self.policy = policy
        self.verifier = verifier
    }

    /// Whether tokens that no device has are accepted, as provider tokens of unknown keys are.
    package var isOpen: Bool { verifier.isOpen }

    /// Judges a request; the connection still has to be told by ``ConnectionMachine/completed(_:nowMilliseconds:)``.
    ///
    /// - Parameters:
    ///   - head: The request's header fields.
    ///   - route: What its path names; anything but a device is BadPath here.
    ///   - body: The bytes of the body, as far as they were kept.
    ///   - bodyByteCount: How many bytes the body had in all.
    ///   - connection: The connection it came on.
    ///   - directory: What is known about device tokens.
    ///   - fault: A refusal to answer instead of accepting the request.
    ///   - nowMilliseconds: The time, in milliseconds since 1970.
    package func verdict(
        on head: borrowing RequestHead, route: Route, body: UnsafeRawBufferPointer, bodyByteCount: Int,
        connection: inout ConnectionMachine, directory: borrowing some TokenDirectory,
        fault: Rejection? = nil, nowMilliseconds: Int64
    ) -> RequestVerdict {
        var request = Request(
            head: head, route: route, bodyByteCount: bodyByteCount, nowMilliseconds: nowMilliseconds)
        let responseID = request.id ?? connection.makeResponseID()
        var verdict = RequestVerdict(
            responseID: responseID, uniqueID: connection.makeNotificationID(), token: request.token,
            pushType: request.pushType, priority: request.priority,
            expiration: request.expiration ?? .unspecified, collapseID: request.collapseID,
            payloadByteCount: bodyByteCount, outcome: .accepted(device: nil))

        if let reason = faultBeforeTopic(head, request, connection: &connection) {
            verdict.outcome = .rejected(Rejection(reason))
            return verdict
        }
        if let reason = topicFault(head, &request, connection: &connection) {
            verdict.topic = request.topic
            verdict.outcome = .rejected(Rejection(reason))
            return verdict
        }
        verdict.topic = request.topic
        if let reason = bodyFault(body, request) {
            verdict.outcome = .rejected(Rejection(reason))
        } else if let token = request.token, let topic = request.topic {
            (verdict.outcome, verdict.decision) = outcome(
                request, token: token, topic: topic, directory: directory, fault: fault)
        } else {
            verdict.outcome = .rejected(Rejection(.badDeviceToken))
            verdict.decision = .refusedMalformedToken
        }
        return verdict
    }

    /// What was read of one request, before anything is judged.
    private struct Request {
        let nowMilliseconds: Int64
        let bodyByteCount: Int
        var isDeviceRoute = false
        var tokenDigits = UnsafeRawBufferPointer.none
        var token: DeviceToken?
        let id: ResponseID?
        let expiration: Expiration?
        let priority: Priority?
        let collapseID: CollapseID?
        let pushType: PushType?
        var topic: Topic?
        var suffixedPushType: PushType?

        init(head: borrowing RequestHead, route: Route, bodyByteCount: Int, nowMilliseconds: Int64) {
            self.nowMilliseconds = nowMilliseconds
            self.bodyByteCount = bodyByteCount
            if case .device(let digits) = route {
                isDeviceRoute = true
                tokenDigits = digits
                token = DeviceToken(hexUTF8: digits)
            }
            id = head.has(.id) ? ResponseID(echoing: head.id) : nil
            expiration = head.has(.expiration) ? Expiration(utf8: head.expiration) : .unspecified
            priority = head.has(.priority) ? Priority(utf8: head.priority) : nil
            collapseID = head.has(.collapseID) ? CollapseID(utf8: head.collapseID) : nil
            pushType = head.has(.pushType) ? PushType(utf8: head.pushType) : nil
        }
    }

    @inline(__always)
    private func faultBeforeTopic(
        _ head: borrowing RequestHead, _ request: borrowing Request, connection: inout ConnectionMachine
    ) -> Reason? {
        if connection.isDraining { return .shutdown }
        guard request.isDeviceRoute else { return .badPath }
        guard head.method == .post else { return .methodNotAllowed }
        if head.hasDuplicates(policy: policy) { return .duplicateHeaders }
        if let reason = connection.authenticate(
            head, verifier: verifier, nowMilliseconds: request.nowMilliseconds)
        {
            return reason
        }
        if request.tokenDigits.isEmpty { return .missingDeviceToken }
        if head.has(.id), request.id == nil { return .badMessageID }
        if request.expiration == nil { return .badExpirationDate }
        if head.has(.priority), request.priority == nil { return .badPriority }
        if head.has(.collapseID), request.collapseID == nil { return .badCollapseID }
        if head.has(.pushType), request.pushType == nil { return .invalidPushType }
        if request.pushType == .background, request.priority == .high {
            return policy.backgroundHighPriorityReason
        }
        return nil
    }

    @inline(__always)
    private func topicFault(
        _ head: borrowing RequestHead, _ request: inout Request, connection: inout ConnectionMachine
    ) -> Reason? {
        // Longer texts are not worth a place in the register.
        guard head.topic.count <= Topic.byteCountMax else { return .badTopic }
        guard let place = connection.topicPlace(head.topic) else { return .missingTopic }
        request.topic = connection.topics.topic(at: place)
        guard request.topic != nil else { return .badTopic }
        guard connection.isCovered(topicAt: place) else { return policy.uncoveredTopicReason }
        request.suffixedPushType = connection.topics.suffixedPushType(at: place)
        guard let pushType = request.pushType else { return nil }
        // Alert and background are the bulk and bound to neither credential nor suffix.
        if pushType == .alert || pushType == .background { return nil }
        guard isAllowed(pushType, credential: connection.credential) else {
            return policy.uncoveredTopicReason
        }
        if pushType != .mdm, request.suffixedPushType != pushType { return policy.topicSuffixReason }
        return nil
    }

    private func isAllowed(_ pushType: PushType, credential: ConnectionMachine.Credential) -> Bool {
        switch credential {
        case .providerToken: !policy.certificateOnlyPushTypes.contains(pushType)
        case .certificate: !policy.tokenOnlyPushTypes.contains(pushType)
        case .unusableCertificate: false
        }
    }

    @inline(__always)
    private func bodyFault(_ body: UnsafeRawBufferPointer, _ request: borrowing Request) -> Reason? {
        guard request.bodyByteCount > 0 else { return .payloadEmpty }
        let pushType = request.pushType ?? request.suffixedPushType ?? .alert
        guard request.bodyByteCount <= pushType.payloadByteCountMax else { return .payloadTooLarge }
        if policy.malformedPayloadReason == nil, policy.pushTypePayloadReason == nil { return nil }
        let shape = PayloadShape(json: body)
        if shape == nil, let reason = policy.malformedPayloadReason { return reason }
        if pushType == .background, shape?.isVisible == true { return policy.pushTypePayloadReason }
        return nil
    }

    @inline(__always)
    private func outcome(
        _ request: borrowing Request, token: DeviceToken, topic: Topic,
        directory: borrowing some TokenDirectory, fault: Rejection?
    ) -> (RequestVerdict.Outcome, JournalDecision) {
        if let test = TestToken.find(digits: request.tokenDigits) {
            return (.rejected(test.rejection(nowMilliseconds: request.nowMilliseconds)), .testToken)
        }
        if let fault { return (.rejected(fault), .faultReason) }
        let verdict = directory.verdict(
            for: token, topic: topic, environment: environment, nowMilliseconds: request.nowMilliseconds)
        switch verdict {
        case .accepted(let device): return (.accepted(device: device), .delivered)
        case .unknown where isOpen: return (.accepted(device: nil), .acceptedWithoutDevice)
        case .unknown: return (.rejected(Rejection(.badDeviceToken)), .refusedUnknownToken)
        case .otherEnvironment: return (.rejected(Rejection(.badDeviceToken)), .refusedOtherEnvironment)
        case .notForTopic: return (.rejected(Rejection(.deviceTokenNotForTopic)), .refusedOtherTopic)
        case .expired(let since):
            return (.rejected(Rejection(.expiredToken, timestampMilliseconds: since)), .refusedDeadToken)
        case .unregistered(let since):
            return (.rejected(Rejection(.unregistered, timestampMilliseconds: since)), .refusedDeadToken)
        case .tooManyRequests: return (.rejected(Rejection(.tooManyRequests)), .refusedRate)
        }
    }
}

extension RequestHead {
    /// Whether a header is repeated that must not be.
    func hasDuplicates(policy: GatewayPolicy.Requests) -> Bool {
        repeatsKnownHeader || repeatsUnknownHeader && policy.rejectsRepeatedUnknownHeaders
    }
}
