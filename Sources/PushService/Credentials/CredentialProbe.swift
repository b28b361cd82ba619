public import APNs
public import APNsClient
internal import Crypto
public import PushStore
public import Transport

/// Asks APNs whether it knows a credential, with a push to a made-up device token.
///
/// APNs looks at credential and topic before the token: BadDeviceToken means that both are good.
public struct CredentialProbe: Sendable {
    /// How a probe ended in one environment.
    public enum Verdict: Sendable, Hashable {
        /// APNs knows the credential; with its answer.
        case good(String)
        /// APNs refused the credential or the topic; with its reason.
        case refused(String)
        /// There was no answer, so nothing is known.
        case unreachable(String)

        /// Its answer or reason.
        public var message: String {
            switch self {
            case .good(let message), .refused(let message), .unreachable(let message): message
            }
        }
    }

    /// How long a probe tries to reach APNs.
    public static let timeout = Duration.seconds(15)

    private let endpoints: [Environment: Endpoint]
    private let proxy: HTTPProxy?

    /// Makes a probe.
    ///
    /// - Parameters:
    ///   - endpoints: where APNs is, by environment.
    ///   - proxy: a proxy to go through.
    public init(endpoints: [Environment: Endpoint], proxy: HTTPProxy? = nil) {
        self.endpoints = endpoints
        self.proxy = proxy
    }

    /// Probes every environment of a credential.
    ///
    /// - Parameter topic: the app's topic; a certificate that lists topics is asked for one of those when it
    ///   does not list this one.
    public func check(
        _ credential: PushCredential, topic: String
    ) async throws(CredentialError) -> [Environment: Verdict] {
        let asked =
            credential.topics.isEmpty || credential.topics.contains(topic) ? topic : credential.topics[0]
        let topicValue: Topic
        do throws(APNsError) {
            topicValue = try Topic(asked)
        } catch {
            throw CredentialError("topic: \(error.message)")
        }
        let client = try credential.clientCredential()
        var verdicts: [Environment: Verdict] = [:]
        for environment in credential.environments.sorted(by: { $0.rawValue < $1.rawValue }) {
            let endpoint = endpoints[environment] ?? Endpoint(environment)
            verdicts[environment] = try await check(client, endpoint, topicValue)
        }
        return verdicts
    }

    private func check(
        _ credential: Credential, _ endpoint: Endpoint, _ topic: Topic
    ) async throws(CredentialError) -> Verdict {
        let client: APNsClient
        let notification: Notification
        do {
            client = try APNsClient(
                APNsClient.Configuration(
                    endpoint: endpoint, credential: credential, connectionCountMax: 1,
                    answerTimeout: Self.timeout, unreachableAfter: Self.timeout, proxy: proxy))
            notification = Notification(
                token: try DeviceToken(bytes: RandomBytes.make(count: 32)), topic: topic,
                payload: Array(#"{"aps":{"content-available":1}}"#.utf8), pushType: .background,
                priority: .normal)
        } catch {
            throw CredentialError("\(error)")
        }
        let outcome = await client.send(notification)
        await client.shutdown()
        switch outcome.result {
        case .accepted: return .good("accepted")
        case .rejected(_, let reason, _):
            switch reason.text {
            case "BadDeviceToken", "Unregistered", "ExpiredToken": return .good(reason.text)
            default:
                return outcome.disposition == .later ? .unreachable(reason.text) : .refused(reason.text)
            }
        case .failed(let failure): return .unreachable("\(failure)")
        }
    }
}

extension [Environment: CredentialProbe.Verdict] {
    /// The verdicts as a store keeps them.
    ///
    /// - Parameter milliseconds: the time, in milliseconds since 1970.
    public func stored(atMilliseconds milliseconds: Int64) -> PushCredential.Check {
        let parts = sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.key.rawValue): \($0.value.message)"
        }
        let isGood = !isEmpty && values.allSatisfy { if case .good = $0 { true } else { false } }
        return PushCredential.Check(
            atMilliseconds: milliseconds, isGood: isGood, message: parts.joined(separator: ", "))
    }

    /// Whether APNs refused it anywhere.
    public var isRefused: Bool { values.contains { if case .refused = $0 { true } else { false } } }
}
