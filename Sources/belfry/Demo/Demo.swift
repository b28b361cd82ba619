internal import APNs
internal import APNsClient
internal import APNsGateway
internal import Crypto

/// A gateway, two phones and a provider in one process.
struct Demo: Sendable {
    private static let bundleID = "com.example.Shop"
    private static let otherBundleID = "com.example.News"

    private let gateway: Gateway
    private let client: APNsClient
    private let topic: Topic
    private let otherTopic: Topic

    init(_ gateway: Gateway) throws {
        self.gateway = gateway
        topic = try Topic(Self.bundleID)
        otherTopic = try Topic(Self.otherBundleID)
        let addresses = gateway.addresses
        let key = try SigningKey(p8: try InputFile.read(addresses.signingKeyPath))
        let source = try ProviderTokenSource(
            keyID: addresses.keyID, teamID: addresses.teamID, signingKey: key)
        let endpoint = try Endpoint(
            url: addresses.production ?? "", trust: try EndpointOptions.trust(addresses.authorityPath))
        client = try APNsClient(.init(endpoint: endpoint, credential: .token(source)))
    }

    /// Sends the pushes and tells what became of them.
    func run() async throws -> DemoStory {
        let ada = try DemoPhone("Ada's phone", topic: topic, in: gateway)
        let grace = try DemoPhone("Grace's phone", topic: topic, in: gateway)
        var story = DemoStory(gateway: gateway.addresses.production ?? "")

        story.pushes.append(try await send("Your parcel is on its way", to: ada, topic))
        try grace.setOnline(false)
        story.pushes.append(try await send("Sale starts tomorrow", to: grace, topic))
        story.pushes.append(try await send("Sale starts now", to: grace, topic))
        try grace.setOnline(true)
        var wrong = try await send("Evening news", to: ada, otherTopic)
        wrong.why =
            "the device token was issued to \(topic), and the request's apns-topic is \(otherTopic). Sending it "
            + "again cannot help: a token belongs to one app."
        story.pushes.append(wrong)
        await client.shutdown()

        story.phones = [
            .init(name: ada.name, token: "\(ada.token)", received: ada.received),
            .init(
                name: grace.name, token: "\(grace.token)", received: grace.received,
                note:
                    "It was switched off for both pushes. APNs keeps one notification for each app and phone: "
                    + "the second took the place of the first, and came when the phone was back."),
        ]
        try check(story)
        return story
    }

    private func send(_ title: String, to phone: DemoPhone, _ topic: Topic) async throws -> DemoStory.Push {
        let payload = try Payload(alert: .content(title: title)).encoded()
        let outcome = await client.send(Notification(token: phone.token, topic: topic, payload: payload))
        let text =
            switch outcome.result {
            case .accepted: "accepted"
            case .rejected(let status, let reason, _): "refused: \(status) \(reason)"
            case .failed(let failure): "no answer: \(failure)"
            }
        return .init(
            to: phone.name, topic: topic.rawValue, title: title, outcome: text,
            isAccepted: outcome.isAccepted)
    }

    /// The demo is a test too: it fails when the story is not the one it tells.
    private func check(_ story: DemoStory) throws(CommandError) {
        let isRight =
            story.pushes.map(\.isAccepted) == [true, true, true, false]
            && story.pushes.last?.outcome == "refused: 400 DeviceTokenNotForTopic"
            && story.phones.map(\.received) == [["Your parcel is on its way"], ["Sale starts now"]]
        guard isRight else { throw .failed("the story went wrong:\n\(story.text)") }
    }
}
