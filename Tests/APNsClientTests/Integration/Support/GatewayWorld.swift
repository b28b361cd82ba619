import APNs
import APNsGateway
import Crypto
import FoundationEssentials
import Transport

@testable import APNsClient

/// A gateway on free ports with a folder of its own, and what a provider needs to speak to it.
struct GatewayWorld: Sendable {
    let gateway: Gateway
    /// One source for all of a test's clients, as one process of a provider has.
    let tokens: ProviderTokenSource

    static let topic = "com.example.belfry"
    static let payload = Array(#"{"aps":{"alert":"hello"}}"#.utf8)

    /// Runs a test with a gateway that is stopped and cleared away afterwards.
    static func run<Success>(
        clock: WallClock = .system,
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (GatewayWorld) async throws -> Success
    ) async throws -> Success {
        let files = FileManager.default
        let folder = files.temporaryDirectory.path + "/belfry-client-\(UUID().uuidString)"
        defer { try? files.removeItem(atPath: folder) }
        var configuration = GatewayConfiguration(folder: folder)
        configuration.productionPort = 0
        configuration.sandboxPort = 0
        configuration.controlPort = 0
        configuration.seed = 1
        configure(&configuration)
        let gateway = try await Gateway.start(configuration)
        let result: Result<Success, any Error>
        do {
            let world = GatewayWorld(
                gateway: gateway, tokens: try tokenSource(of: gateway, clock: clock))
            result = .success(try await body(world))
        } catch {
            result = .failure(error)
        }
        await gateway.stop(deadline: .milliseconds(200))
        return try result.get()
    }

    // MARK: Clients

    func endpoint(_ environment: APNs.Environment = .sandbox) throws -> Endpoint {
        let addresses = gateway.addresses
        let url = environment == .sandbox ? addresses.sandbox : addresses.production
        return try Endpoint(
            url: url ?? "", trust: .certificates([gateway.identity.authority.certificate]))
    }

    func client(
        _ environment: APNs.Environment = .sandbox, credential: Credential? = nil,
        loops: EventLoopGroup? = nil,
        configure: (inout APNsClient.Configuration) -> Void = { _ in }
    ) throws -> APNsClient {
        var configuration = APNsClient.Configuration(
            endpoint: try endpoint(environment), credential: credential ?? .token(tokens))
        configure(&configuration)
        return try APNsClient(configuration, loops: loops)
    }

    static func tokenSource(of gateway: Gateway, clock: WallClock) throws -> ProviderTokenSource {
        try ProviderTokenSource(
            keyID: gateway.addresses.keyID, teamID: gateway.addresses.teamID,
            signingKey: gateway.identity.signingKey, clock: clock)
    }

    // MARK: Notifications

    /// Adds a phone for each token, with the test's app.
    func register(
        _ count: Int, environment: APNs.Environment = .sandbox, topic: String = topic
    ) throws -> [DeviceToken] {
        let request = RegistrationRequest(topic: try Topic(topic), environment: environment)
        return try (0..<count).map { number in
            try gateway.hub.withRegistries { registries, random, now in
                let device = try registries.devices.addDevice(
                    name: "phone \(number)", at: now, using: &random)
                return try registries.devices.register(device, request, at: now, using: &random).token
            }
        }
    }

    /// Everything the journal holds, in order.
    var journal: [JournalRecord] {
        var all: [JournalRecord] = []
        while true {
            let page = gateway.journal.records(
                JournalQuery(since: all.last?.sequence ?? 0, limit: JournalQuery.limitMax))
            if page.isEmpty { return all }
            all += page
        }
    }
}

/// Notifications of tests.
enum Sample {
    /// A token made of a number; no test token of the gateway begins so.
    static func token(_ number: Int) -> DeviceToken {
        var bytes = [UInt8](repeating: 0xAB, count: 32)
        withUnsafeBytes(of: UInt64(number).bigEndian) { bytes.replaceSubrange(24..<32, with: $0) }
        // 32 bytes are always allowed.
        return (try? DeviceToken(bytes: bytes)) ?? DeviceToken.placeholder
    }

    static func notification(
        _ token: DeviceToken, expiration: Expiration = .unspecified, id: NotificationID? = nil,
        topic: String = GatewayWorld.topic
    ) throws -> APNs.Notification {
        APNs.Notification(
            token: token, topic: try Topic(topic), payload: GatewayWorld.payload,
            expiration: expiration, id: id)
    }

    /// So many notifications, each to another device and with an id that tells its number.
    static func notifications(
        _ range: Range<Int>, expiration: Expiration = .unspecified
    ) throws -> [APNs.Notification] {
        let topic = try Topic(GatewayWorld.topic)
        return range.map { number in
            APNs.Notification(
                token: token(number), topic: topic, payload: GatewayWorld.payload,
                expiration: expiration, id: NotificationID(high: 7, low: UInt64(number)))
        }
    }

    static func notifications(_ count: Int) throws -> [APNs.Notification] { try notifications(0..<count) }
}

extension DeviceToken {
    fileprivate static let placeholder: DeviceToken = {
        guard let token = try? DeviceToken(hex: "ab") else { preconditionFailure("two digits are a token") }
        return token
    }()
}

extension Outcome {
    /// The reason of a refusal.
    var reason: Reason? {
        if case .rejected(_, let reason, _) = result { reason } else { nil }
    }

    /// Why it is unknown whether APNs took it.
    var unknownError: TransportError? {
        if case .failed(.unknown(let error)) = result { error } else { nil }
    }

    /// Why it was never sent.
    var notSentError: TransportError? {
        if case .failed(.notSent(let error)) = result { error } else { nil }
    }
}
