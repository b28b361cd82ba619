package import APNs

extension ConnectionMachine {
    /// Checks a request's credential.
    ///
    /// The order is that of Apple's documentation where there is one: absent, malformed or unknown, expired,
    /// of the other environment, unrelated to the first key, changed too often.
    ///
    /// - Returns: The reason of the refusal; nil when the request may go on.
    package mutating func authenticate(
        _ head: borrowing RequestHead, verifier: ProviderTokenVerifier, nowMilliseconds: Int64
    ) -> Reason? {
        let nowSeconds = nowMilliseconds / 1000
        switch credential {
        case .unusableCertificate: return .badCertificate
        case .certificate(let certificate): return certificate.fault(in: environment, nowSeconds: nowSeconds)
        case .providerToken: break
        }
        let header = head.authorization
        let isAcceptedAlready =
            !header.isEmpty && header.holds(tokenState.acceptedHeader)
            && nowSeconds <= tokenState.acceptedUntilSeconds && !tokenState.isWedged
            && tokenState.generation == verifier.generation
            && !tokenState.updates.isBlocked(nowMilliseconds: nowMilliseconds)
        if isAcceptedAlready { return nil }
        return authenticateAnew(header, verifier: verifier, nowMilliseconds: nowMilliseconds)
    }

    /// Whether the credential in use covers a topic at a place of the register.
    mutating func isCovered(topicAt index: Int) -> Bool {
        switch credential {
        case .unusableCertificate: return false
        case .certificate(let certificate):
            return topics.isCovered(at: index, credential: 0, by: certificate.covers)
        case .providerToken:
            guard let key = tokenState.token?.key else { return false }
            if case .team = key.scope { return true }
            return topics.isCovered(at: index, credential: credentialNumber, by: key.covers)
        }
    }

    /// Whether the credential in use covers an app as a whole, for broadcasts and channels.
    package func covers(bundleID: String) -> Bool {
        switch credential {
        case .unusableCertificate: return false
        case .certificate(let certificate): return certificate.covers(bundleID: bundleID)
        case .providerToken:
            guard let key = tokenState.token?.key else { return false }
            guard case .topics(let names, _) = key.scope else { return true }
            return names.contains(bundleID)
        }
    }

    private mutating func authenticateAnew(
        _ header: UnsafeRawBufferPointer, verifier: ProviderTokenVerifier, nowMilliseconds: Int64
    ) -> Reason? {
        let ignoringCase = policy.providerTokens.ignoresSchemeCase
        guard let bytes = BearerToken.find(in: header, ignoringCase: ignoringCase) else {
            return .missingProviderToken
        }
        if tokenState.isWedged { return .expiredProviderToken }
        let generation = verifier.generation
        let wasInvalid =
            tokenState.generation == generation && !tokenState.invalidHeader.isEmpty
            && header.holds(tokenState.invalidHeader)
        if wasInvalid { return .invalidProviderToken }

        switch verifier.verdict(on: bytes, nowSeconds: nowMilliseconds / 1000) {
        case .invalid:
            remember(invalidHeader: header, generation: generation)
            return .invalidProviderToken
        case .tooEarly:
            return policy.providerTokens.futureReason
        case .expired:
            tokenState.isWedged = policy.providerTokens.expiryWedgesConnection
            return .expiredProviderToken
        case .valid(let token):
            if let reason = fault(of: token, nowMilliseconds: nowMilliseconds) { return reason }
            if tokenState.token?.key !== token.key { credentialNumber += 1 }
            tokenState.accept(token, header: header, generation: generation)
            return nil
        }
    }

    /// What is wrong with a token that is valid by itself.
    private mutating func fault(of token: VerifiedProviderToken, nowMilliseconds: Int64) -> Reason? {
        let key = token.key
        guard key.environments.contains(environment) else { return .badEnvironmentKeyIDInToken }
        if let bound = tokenState.boundKey {
            guard key.teamID == bound.teamID else { return .invalidProviderToken }
            guard key.isUsable(afterBindingTo: bound) else { return .unrelatedKeyIDInToken }
        }
        let isAdmitted =
            !tokenState.updates.isBlocked(nowMilliseconds: nowMilliseconds)
            && tokenState.updates.admit(
                token: token.fingerprint, group: key.updateGroup, nowMilliseconds: nowMilliseconds)
        return isAdmitted ? nil : .tooManyProviderTokenUpdates
    }

    private mutating func remember(invalidHeader header: UnsafeRawBufferPointer, generation: Int) {
        guard header.count <= ProviderToken.byteCountMax else { return }
        // A change of keys makes the accepted token be checked again too.
        if tokenState.generation != generation {
            tokenState.acceptedHeader = []
            tokenState.generation = generation
        }
        tokenState.invalidHeader = Array(header)
    }
}
