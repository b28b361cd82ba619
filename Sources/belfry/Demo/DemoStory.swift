import APNs
import APNsClient
import APNsGateway
import Crypto
import FoundationEssentials

/// What `belfry demo` shows: pushes to two phones, one of which was asked for at the wrong door.
struct DemoStory: Sendable {
    private static let bundleID = "com.example.news"

    private struct Phone: Sendable {
        var name: String
        var id: DeviceID
        var token: DeviceToken
    }

    private let gateway: Gateway
    private let console: Console
    private let client: APNsClient
    private let topic: Topic
    private let ada: Phone
    private let ben: Phone

    /// Makes the phones and the client.
    init(gateway: Gateway, folder: String, console: Console) throws {
        self.gateway = gateway
        self.console = console
        topic = try Topic(Self.bundleID)
        let addresses = gateway.addresses
        let authority = try String(contentsOfFile: addresses.authorityPath, encoding: .utf8)
        let key = try String(contentsOfFile: addresses.signingKeyPath, encoding: .utf8)
        let source = try ProviderTokenSource(
            keyID: addresses.keyID, teamID: addresses.teamID, signingKey: try SigningKey(p8: key))
        let endpoint = try Endpoint(
            url: addresses.production ?? "",
            trust: .certificates(try [Certificate](pemBundle: authority)))
        client = try APNsClient(.init(endpoint: endpoint, credential: .token(source)))
        ada = try Self.phone("Ada's iPhone", .production, topic, gateway)
        ben = try Self.phone("Ben's iPhone", .sandbox, topic, gateway)
    }

    /// Sends the pushes and prints what became of them.
    func tell() async -> CommandStatus {
        console.print("gateway  \(gateway.addresses.production ?? "") (APNs' production service)")
        console.print("phones   \(ada.name): the app from the App Store, token \(ada.token)")
        console.print("         \(ben.name): the app from Xcode, token \(ben.token)")
        console.print("")
        let first = await send("Good morning", to: ada)
        let second = await send("Good morning", to: ben)
        console.print("")
        console.print("\(ada.name) loses its connection; three more pushes; it comes back:")
        setOnline(ada, false)
        var accepted = [first.isAccepted]
        for text in ["Rain at ten", "Rain at eleven", "No rain after all"] {
            accepted.append(await send(text, to: ada).isAccepted)
        }
        setOnline(ada, true)
        console.print("")
        let adaReceived = show(ada)
        let benReceived = show(ben)
        await client.shutdown()
        // What the story claims has to have happened.
        let isAsTold =
            accepted.allSatisfy { $0 } && !second.isAccepted
            && adaReceived == ["Good morning", "No rain after all"] && benReceived.isEmpty
        return isAsTold ? .done : .failed
    }

    private func send(_ text: String, to phone: Phone) async -> Outcome {
        var payload = Payload()
        payload.alert = .text(text)
        guard let bytes = try? payload.encoded() else {
            return Outcome(result: .failed(.cancelled))
        }
        let outcome = await client.send(
            Notification(token: phone.token, topic: topic, payload: bytes, priority: .high))
        console.print("push     \"\(text)\" to \(phone.name): \(describe(outcome, phone))")
        return outcome
    }

    private func describe(_ outcome: Outcome, _ phone: Phone) -> String {
        let record = gateway.journal.records(JournalQuery(token: phone.token, limit: 1)).last
        let why = record.map { "; the gateway: \($0.decision.text)" } ?? ""
        return switch outcome.result {
        case .accepted: "accepted\(why)"
        case .rejected(let status, let reason, _): "refused, \(status) \(reason)\(why)"
        case .failed(let failure): "no answer: \(failure)"
        }
    }

    /// Prints a phone's notifications and returns their texts.
    private func show(_ phone: Phone) -> [String] {
        let deliveries = gateway.hub.withRegistries { registries, _, _ in
            registries.devices.deliveries(phone.id, after: 0, countMax: 100).deliveries
        }
        let texts = deliveries.map { delivery -> String in
            guard case .object(let payload)? = try? JSONValue(parsing: delivery.notification.payload),
                case .object(let aps)? = payload["aps"], case .string(let text)? = aps["alert"]
            else { return "" }
            return text
        }
        console.print("\(phone.name) received \(texts.isEmpty ? "nothing" : "\(texts.count):")")
        for text in texts { console.print("         \"\(text)\"") }
        return texts
    }

    private func setOnline(_ phone: Phone, _ isOnline: Bool) {
        gateway.hub.withRegistries { registries, _, now in
            try? registries.devices.setOnline(phone.id, isOnline, at: now)
        }
    }

    private static func phone(
        _ name: String, _ environment: APNs.Environment, _ topic: Topic, _ gateway: Gateway
    ) throws -> Phone {
        try gateway.hub.withRegistries { registries, random, now in
            let id = try registries.devices.addDevice(name: name, at: now, using: &random)
            let issued = try registries.devices.register(
                id, RegistrationRequest(topic: topic, environment: environment), at: now, using: &random)
            return Phone(name: name, id: id, token: issued.token)
        }
    }
}
