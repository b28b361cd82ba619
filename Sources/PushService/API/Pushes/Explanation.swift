internal import APNs
internal import PushStore
internal import Recurrence

/// What is known of a push and a device, as steps in the order in which they happen.
///
/// Pure. The installation is looked at as it is now: it may have changed since the push was planned, which
/// the steps say.
struct Explanation: Sendable, Hashable {
    /// One step.
    struct Step: Sendable, Hashable {
        enum State: String, Sendable {
            /// The device got past it.
            case passed
            /// The device was stopped here.
            case failed
            /// It has not come to this, or it is not known.
            case open
        }

        var name: String
        var state: State
        /// What was found.
        var reasons: [ExplanationReason]

        /// The same in words.
        var detail: String { ExplanationReason.text(reasons) }
    }

    private(set) var steps: [Step] = []

    init(_ evidence: DeliveryEvidence, app: App, credentials: [PushCredential], now: Instant) {
        let request = evidence.push.request
        let isPlanned = !evidence.placements.isEmpty
        let state = evidence.push.state.rawValue
        add(
            "push", .passed,
            evidence.push.remarks.map { .init(.pushStopped, state, $0) } ?? .init(.pushState, state))
        guard let installation = evidence.installation else {
            add(
                "installation", isPlanned ? .open : .failed,
                .init(isPlanned ? .installationGone : .installationUnknown))
            addDelivery(evidence)
            return
        }
        add("installation", .passed, .init(.installationSaved, installation.updatedAt.iso8601))
        addAudience(installation, request, isPlanned: isPlanned)
        add(
            "valid", installation.isValid ? .passed : isPlanned ? .open : .failed,
            .init(installation.isValid ? .optedIn : .optedOut))
        addToken(installation)
        addCredential(installation, request, app: app, credentials: credentials, now: now)
        addDelivery(evidence)
        add(
            "received", evidence.receivedAt == nil ? .open : .passed,
            evidence.receivedAt.map { .init(.receivedAt, $0.iso8601) } ?? .init(.notReceived))
        add(
            "opened", evidence.openedAt == nil ? .open : .passed,
            evidence.openedAt.map { .init(.openedAt, $0.iso8601) } ?? .init(.notOpened))
    }

    private mutating func addAudience(
        _ installation: Installation, _ request: PushRequest, isPlanned: Bool
    ) {
        if request.broadcastChannel != nil { return add("audience", .failed, .init(.broadcast)) }
        if let tokens = request.deviceTokens {
            let isNamed = installation.deviceToken.map(tokens.contains) ?? false
            return add(
                "audience", isNamed ? .passed : .failed, .init(isNamed ? .tokenNamed : .tokenNotNamed))
        }
        var failures = request.filter?.failures(in: installation.object).map(Self.reason) ?? []
        if let channels = request.channels, Set(channels).isDisjoint(with: installation.channels) {
            failures.append(.init(.channelsDiffer, channels.joined(separator: ", ")))
        }
        if request.isTest, installation.attributes["test"] != true { failures.append(.init(.notTest)) }
        if failures.isEmpty {
            add("audience", .passed, .init(.matches))
        } else {
            if isPlanned { failures.append(.init(.matchedThen)) }
            add("audience", isPlanned ? .open : .failed, failures)
        }
    }

    private static func reason(_ failure: WhereClause.Failure) -> ExplanationReason {
        let expected = BodyOverride.text(failure.expected)
        guard let found = failure.found.map({ BodyOverride.text($0) }) else {
            return .init(
                failure.mustNotHold ? .fieldForbiddenMissing : .fieldFailsMissing, failure.path,
                failure.operator, expected)
        }
        return .init(
            failure.mustNotHold ? .fieldForbidden : .fieldFails, failure.path, failure.operator, expected,
            String(found.prefix(200)))
    }

    private mutating func addToken(_ installation: Installation) {
        guard let token = installation.deviceToken else {
            return add("token", .failed, .init(.tokenMissing))
        }
        let start = String(token.prefix(8))
        if (try? DeviceToken(hex: token)) == nil {
            add("token", .failed, .init(.tokenMalformed, start))
        } else {
            add("token", .passed, .init(.token, start))
        }
    }

    private mutating func addCredential(
        _ installation: Installation, _ request: PushRequest, app: App, credentials: [PushCredential],
        now: Instant
    ) {
        let environment = installation.environment
        if let asked = request.environment, let environment, asked != environment {
            add(
                "environment", .failed,
                .init(.environmentDiffers, asked.rawValue, environment.rawValue))
        } else {
            add(
                "environment", .passed,
                environment.map { .init(.environment, $0.rawValue) } ?? .init(.environmentUnknown))
        }
        let team = request.teamID ?? installation.apnsTeamID
        let profile = request.deviceProfile ?? installation.deviceProfile
        let topic = request.topic ?? installation.apnsTopic ?? app.topic
        let fitting = credentials.filter { credential in
            (environment.map(credential.environments.contains) ?? true)
                && (team == nil || credential.teamID == team) && credential.deviceProfile == profile
                && (credential.topics.isEmpty || credential.topics.contains(topic))
                && (credential.expiresAt.map { $0 > now } ?? true)
        }
        guard fitting.isEmpty else {
            return add("credential", .passed, .init(.credentialFits, topic))
        }
        var reasons: [ExplanationReason] = [.init(.credentialMissing, String(credentials.count), topic)]
        if let team { reasons.append(.init(.forTeam, team)) }
        if let profile { reasons.append(.init(.forProfile, profile)) }
        add("credential", .failed, reasons)
    }

    private mutating func addDelivery(_ evidence: DeliveryEvidence) {
        guard let placement = evidence.placements.last else {
            let isOver = evidence.push.state.isFinal
            return add("batch", isOver ? .failed : .open, .init(isOver ? .batchNever : .batchNotYet))
        }
        var batch: [ExplanationReason] = [
            .init(.batch, String(placement.batch), placement.notBefore.iso8601)
        ]
        if placement.attemptCount > 1 {
            batch.append(.init(.claimedAgain, String(placement.attemptCount)))
        }
        add("batch", .passed, batch)
        add(
            "request", placement.claimedAt == nil ? .open : .passed,
            placement.claimedAt.map { .init(.requestSince, $0.iso8601) } ?? .init(.requestNotYet))
        let name = placement.outcome.name
        let answer: ExplanationReason =
            placement.detail.map { .init(.answerDetail, name, $0) } ?? .init(.answer, name)
        switch placement.outcome {
        case .accepted: add("answer", .passed, answer)
        case .pending: add("answer", .open, answer)
        default: add("answer", .failed, answer)
        }
    }

    private mutating func add(_ name: String, _ state: Step.State, _ reason: ExplanationReason) {
        add(name, state, [reason])
    }

    private mutating func add(_ name: String, _ state: Step.State, _ reasons: [ExplanationReason]) {
        steps.append(Step(name: name, state: state, reasons: reasons))
    }

    var json: JSONValue {
        let stop = steps.first { $0.state == .failed }
        var members: [String: JSONValue] = [
            "steps": .array(
                steps.map {
                    [
                        "step": .string($0.name), "state": .string($0.state.rawValue),
                        "detail": .string($0.detail), "reasons": .array($0.reasons.map(\.json)),
                    ]
                })
        ]
        members["stoppedAt"] = stop.map { .string($0.name) }
        return .object(members)
    }
}
