#if canImport(VirtualPhone)
internal import BelfryKit
internal import Recurrence
internal import VirtualPhone

/// The two phones of a demo, one in Shanghai and one in New York, with the app on both.
struct DemoPhones: Sendable {
    struct Owner: Sendable {
        var id: String
        var name: String
        var zone: String
        var language: String
        var channels: Set<String>
    }

    static let owners = [
        Owner(
            id: "1", name: "Lin's iPhone", zone: "Asia/Shanghai", language: "zh-Hans-CN", channels: ["news"]),
        Owner(
            id: "2", name: "Ada's iPhone", zone: "America/New_York", language: "en-US",
            channels: ["news", "sports"]),
    ]

    let all: [(owner: Owner, phone: VirtualPhone)]
    private let links: [GatewayLink]

    /// The gateway's ids of the phones; none before their apps have registered.
    var devices: [String] { links.compactMap(\.deviceID) }

    /// Makes the phones, links them to a gateway, and opens the app on each.
    init(
        control: String, service: PushServiceAddress, now: Instant
    ) async throws {
        var all: [(owner: Owner, phone: VirtualPhone)] = []
        var links: [GatewayLink] = []
        for owner in Self.owners {
            let phone = VirtualPhone(
                name: owner.name, now: now, zone: try Zone(owner.zone), language: owner.language,
                isClockRunning: true)
            let link = GatewayLink(control: control, name: owner.name)
            try await phone.connect(link)
            links.append(link)
            try await phone.install(NewsApp.manifest) {
                NewsApp(service: service, channels: owner.channels)
            }
            all.append((owner, phone))
        }
        self.all = all
        self.links = links
    }

    /// Opens the app on each, as its owner would for the first time, then locks the phones: what comes is seen on the
    /// lock screen.
    func open() async throws(PhoneError) {
        for (_, phone) in all {
            try await phone.open(NewsApp.topic)
            await phone.goHome()
            await phone.lock()
        }
    }

    /// Waits until each shows something, some seconds at most.
    func waitUntilShown() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: Self.showDeadline) }
            group.addTask {
                for (_, phone) in all { await phone.wait { !$0.lockScreen.isEmpty } }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private static let showDeadline = Duration.seconds(10)

    /// Lets the clocks run until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for (_, phone) in all { group.addTask { await phone.run() } }
        }
    }

    /// Takes the phones off the gateway.
    func disconnect() async {
        for (_, phone) in all { await phone.disconnect() }
    }
}
#endif
