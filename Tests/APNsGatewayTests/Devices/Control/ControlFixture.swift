import APNs
import APNsGateway
import Testing
import Transport

/// A control API over an empty gateway with a standing clock and a seeded generator.
struct ControlFixture {
    let hub: DeviceHub
    let journal = Journal()
    let faults = FaultInjector(seed: 1)
    let verifier = ProviderTokenVerifier()
    let keyring: GatewayKeyring
    let clock: VirtualGatewayClock
    let api: ControlAPI

    init(policy: DevicePolicy = DevicePolicy()) {
        clock = VirtualGatewayClock(standingAtMilliseconds: World.start)
        hub = DeviceHub(
            registries: Registries(devices: DeviceRegistry(policy: policy)), clock: clock,
            random: GatewayRandom(seed: 7), journal: journal)
        keyring = GatewayKeyring(verifier: verifier)
        api = ControlAPI(
            parts: ControlAPI.Parts(
                hub: hub, journal: journal, faults: faults, keyring: keyring,
                metricsText: { "apns_gateway_extra 1\n" }))
    }

    struct Answer {
        var status: Int
        var json: JSONValue
        var text: String

        subscript(name: String) -> JSONValue? { json[name] }
        var error: String { string("error") ?? "" }

        func string(_ name: String) -> String? {
            if case .string(let text)? = json[name] { text } else { nil }
        }

        func list(_ name: String) -> [JSONValue] {
            if case .array(let values)? = json[name] { values } else { [] }
        }
    }

    /// Sends a request past the sockets.
    func send(
        _ method: String, _ path: String, _ body: String = "", headers: HTTPHeaders = [:]
    ) async -> Answer {
        let pieces = path.split(separator: "?", maxSplits: 1)
        var query: [(name: String, value: String)] = []
        for pair in pieces.dropFirst().joined().split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query.append((name: String(sides[0]), value: sides.count > 1 ? String(sides[1]) : ""))
        }
        let response = await api.respond(
            to: HTTPRequest(
                method: method, path: String(pieces[0]), query: query, headers: headers,
                body: Array(body.utf8)))
        guard case .bytes(let bytes) = response.body else {
            return Answer(status: response.status, json: .null, text: "")
        }
        return Answer(
            status: response.status, json: (try? JSONValue(parsing: bytes)) ?? .null,
            text: String(decoding: bytes, as: UTF8.self))
    }

    /// A phone with one app, through the API.
    func addDevice(
        _ topic: String = "com.example.app", environment: String = "sandbox"
    ) async throws -> (
        id: String, token: DeviceToken
    ) {
        let answer = await send("POST", "/devices", #"{"topic":"\#(topic)","environment":"\#(environment)"}"#)
        #expect(answer.status == 201, "\(answer.text)")
        return (
            try #require(answer.string("id")), try DeviceToken(hex: try #require(answer.string("token")))
        )
    }

    /// Accepts a push as the gateway would, and returns the decision.
    @discardableResult
    func push(
        _ token: DeviceToken, _ number: UInt64, payload: String = #"{"aps":{"alert":"hi"}}"#,
        collapseID: String? = nil, expiration: Expiration = .unspecified, pushType: PushType = .alert
    ) -> Decision {
        let notification = DeliverableNotification(
            id: NotificationID(high: 1, low: number), uniqueID: NotificationID(high: 2, low: number),
            token: token,
            topic: World.topic, pushType: pushType, expiration: expiration,
            collapseID: collapseID.flatMap { try? CollapseID($0) }, payload: Array(payload.utf8),
            receivedAtMilliseconds: clock.nowMilliseconds, environment: .sandbox)
        let decision = hub.withRegistries { registries, _, now in
            registries.devices.accept(notification, at: now)
        }
        let sequence = journal.append(
            JournalRecord(
                operation: .push, id: ResponseID(generated: notification.id), environment: .sandbox,
                connection: 1,
                timeMilliseconds: clock.nowMilliseconds, decision: decision.journalDecision, status: 200))
        hub.remember(journalNumber: sequence, for: notification)
        return decision
    }

    func verdict(_ token: DeviceToken) -> TokenVerdict {
        hub.withRegistries { registries, _, now in
            registries.devices.verdict(
                for: token, topic: World.topic, environment: .sandbox, nowMilliseconds: now)
        }
    }
}
