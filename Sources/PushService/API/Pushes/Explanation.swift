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
        /// What was found, in words.
        var detail: String
    }

    private(set) var steps: [Step] = []

    init(_ evidence: DeliveryEvidence, app: App, credentials: [PushCredential], now: Instant) {
        let request = evidence.push.request
        let isPlanned = !evidence.placements.isEmpty
        add(
            "push", .passed, "\(evidence.push.state.rawValue)" + (evidence.push.error.map { ": \($0)" } ?? "")
        )
        guard let installation = evidence.installation else {
            add(
                "installation", isPlanned ? .open : .failed,
                isPlanned
                    ? "it is gone; it was there when the push was planned"
                    : "there is none with this objectId")
            addDelivery(evidence)
            return
        }
        add("installation", .passed, "saved at \(installation.updatedAt.iso8601)")
        addAudience(installation, request, isPlanned: isPlanned)
        add(
            "valid", installation.isValid ? .passed : isPlanned ? .open : .failed,
            installation.isValid ? "it may be sent to" : "valid is false: the device opted out")
        addToken(installation)
        addCredential(installation, request, app: app, credentials: credentials, now: now)
        addDelivery(evidence)
        add(
            "received", evidence.receivedAt == nil ? .open : .passed,
            evidence.receivedAt.map { "at \($0.iso8601)" } ?? "no receipt was reported")
        add(
            "opened", evidence.openedAt == nil ? .open : .passed,
            evidence.openedAt.map { "at \($0.iso8601)" } ?? "no opening was reported")
    }

    private mutating func addAudience(
        _ installation: Installation, _ request: PushRequest, isPlanned: Bool
    ) {
        if request.broadcastChannel != nil {
            add("audience", .failed, "the push was broadcast: who follows its channel is known to APNs alone")
            return
        }
        if let tokens = request.deviceTokens {
            let isNamed = installation.deviceToken.map(tokens.contains) ?? false
            add(
                "audience", isNamed ? .passed : .failed,
                isNamed ? "its token is among those of the push" : "its token is not among those of the push")
            return
        }
        var failures = request.filter?.failures(in: installation.object).map(Self.text) ?? []
        if let channels = request.channels, Set(channels).isDisjoint(with: installation.channels) {
            failures.append("channels: it is in none of \(channels.joined(separator: ", "))")
        }
        if request.isTest, installation.attributes["test"] != true {
            failures.append("test: the push is for marked devices only")
        }
        if failures.isEmpty {
            add("audience", .passed, "it matches the query")
        } else {
            add(
                "audience", isPlanned ? .open : .failed,
                failures.joined(separator: "; ")
                    + (isPlanned ? " (now; it matched when the push was planned)" : ""))
        }
    }

    private static func text(_ failure: WhereClause.Failure) -> String {
        let found = failure.found.map { BodyOverride.text($0) } ?? "nothing"
        let expected = BodyOverride.text(failure.expected)
        return "\(failure.path): \(failure.operator) \(expected)"
            + (failure.mustNotHold ? " must not hold" : " does not hold") + ", found \(found.prefix(200))"
    }

    private mutating func addToken(_ installation: Installation) {
        guard let token = installation.deviceToken else {
            add("token", .failed, "the installation has no device token")
            return
        }
        if (try? DeviceToken(hex: token)) == nil {
            add("token", .failed, "what it registered is no device token: \(token.prefix(8))…")
        } else {
            add("token", .passed, "\(token.prefix(8))…")
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
                "the push is for \(asked.rawValue), the device registered in \(environment.rawValue)")
        } else {
            add("environment", .passed, environment?.rawValue ?? "not known yet; it is learned from APNs")
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
        add(
            "credential", fitting.isEmpty ? .failed : .passed,
            fitting.isEmpty
                ? "none of \(credentials.count) fits topic \(topic)"
                    + (team.map { ", team \($0)" } ?? "") + (profile.map { ", profile \($0)" } ?? "")
                : "for topic \(topic)")
    }

    private mutating func addDelivery(_ evidence: DeliveryEvidence) {
        guard let placement = evidence.placements.last else {
            add(
                "batch", evidence.push.state.isFinal ? .failed : .open,
                evidence.push.state.isFinal
                    ? "it was in no batch of the push" : "it is in no batch so far")
            return
        }
        add(
            "batch", .passed,
            "number \(placement.batch), from \(placement.notBefore.iso8601)"
                + (placement.attemptCount > 1 ? ", claimed \(placement.attemptCount) times" : ""))
        let isSent = placement.claimedAt != nil
        add(
            "request", isSent ? .passed : .open, placement.claimedAt.map { "from \($0.iso8601)" } ?? "not yet"
        )
        let detail = placement.outcome.name + (placement.detail.map { ": \($0)" } ?? "")
        switch placement.outcome {
        case .accepted: add("answer", .passed, detail)
        case .pending: add("answer", .open, detail)
        default: add("answer", .failed, detail)
        }
    }

    private mutating func add(_ name: String, _ state: Step.State, _ detail: String) {
        steps.append(Step(name: name, state: state, detail: detail))
    }

    var json: JSONValue {
        let stop = steps.first { $0.state == .failed }
        var members: [String: JSONValue] = [
            "steps": .array(
                steps.map {
                    [
                        "step": .string($0.name), "state": .string($0.state.rawValue),
                        "detail": .string($0.detail),
                    ]
                })
        ]
        members["stoppedAt"] = stop.map { .string($0.name) }
        return .object(members)
    }
}
