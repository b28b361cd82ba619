import APNs
import APNsClient
import APNsGateway
import BelfryKit
import Crypto
import Foundation
import PushStore
import Recurrence
import Testing
import Transport
import UserNotifications
import VirtualPhone

@testable import PushService

/// A push service over HTTP, an APNs gateway, and a phone that is linked to it, whose clock is the service's.
final class World: Sendable {
    static let topic = "com.example.News"
    private static let appKey = "news0000-app-key"
    private static let masterKey = "news0000-master-key"

    let gateway: Gateway
    let store: SQLiteStore
    let phone: VirtualPhone
    let address: PushServiceAddress
    private let client = HTTPClient()
    private let delivery: DeliveryService

    private init(
        gateway: Gateway, store: SQLiteStore, phone: VirtualPhone, address: PushServiceAddress,
        delivery: DeliveryService
    ) {
        self.gateway = gateway
        self.store = store
        self.phone = phone
        self.address = address
        self.delivery = delivery
    }

    /// Runs a test; everything is stopped and removed afterwards.
    static func run(_ body: (World) async throws -> Void) async throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.path + "/belfry-end-to-end-\(UUID().uuidString)"
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        var configuration = GatewayConfiguration(folder: folder + "/gateway")
        (configuration.productionPort, configuration.sandboxPort, configuration.controlPort) = (0, 0, 0)
        // APNs says that a token is dead only after a while; a test does not wait for it.
        configuration.devicePolicy.unregisteredGraceMilliseconds = 0
        configuration.devicePolicy.noticesRemovalOnPush = false
        let gateway = try await Gateway.start(configuration)
        let phone = VirtualPhone(
            now: Instant(millisecondsSince1970: WallClock.system.millisecondsSince1970),
            zone: try Zone("Asia/Shanghai"))
        let store = try await SQLiteStore.open(path: folder + "/belfry.sqlite", secret: .random())
        let loops = EventLoopGroup(count: 1, name: "end-to-end")
        let result: Result<Void, any Error>
        do {
            result = .success(try await run(gateway, store, phone, loops, body))
        } catch {
            result = .failure(error)
        }
        await phone.disconnect()
        await store.close()
        loops.shutdown()
        await gateway.stop(deadline: .milliseconds(200))
        try result.get()
    }

    private static func run(
        _ gateway: Gateway, _ store: SQLiteStore, _ phone: VirtualPhone, _ loops: EventLoopGroup,
        _ body: (World) async throws -> Void
    ) async throws {
        let app = try await store.createApp(
            id: "news0000", name: "News", topic: topic, appKey: appKey, masterKey: masterKey, now: phone.now)
        _ = try await store.addCredential(
            PushCredential(
                secret: .key(
                    p8: gateway.identity.signingKey.p8, keyID: gateway.addresses.keyID,
                    teamID: gateway.addresses.teamID),
                environments: [.production, .sandbox], teamID: gateway.addresses.teamID, deviceProfile: nil,
                createdAt: phone.now), app: app.number)
        func endpoint(_ url: String?) throws -> Endpoint {
            try Endpoint(url: url ?? "", trust: .certificates([gateway.identity.authority.certificate]))
        }
        let delivery = DeliveryService(
            store: store,
            endpoints: ClientDirectory.Endpoints(
                production: try endpoint(gateway.addresses.production),
                sandbox: try endpoint(gateway.addresses.sandbox)),
            owner: "node", loops: loops, now: { phone.now })
        let api = PushAPI(store: store, now: { phone.now })
        let server = HTTPServer(configuration: .init(host: "127.0.0.1", port: 0)) {
            await api.respond(to: $0)
        }
        try server.start()
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let world = World(
            gateway: gateway, store: store, phone: phone,
            address: PushServiceAddress(url: url, applicationID: app.id, applicationKey: appKey),
            delivery: delivery)
        let result: Result<Void, any Error>
        do {
            try await phone.connect(GatewayLink(control: gateway.addresses.control, name: "iPhone"))
            result = .success(try await body(world))
        } catch {
            result = .failure(error)
        }
        world.client.close()
        await server.stop(deadline: .milliseconds(200))
        await delivery.shutdown()
        try result.get()
    }

    // MARK: The operator

    /// A request with the master key.
    @discardableResult
    func master(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let answer = try await client.send(
            HTTPClientRequest(
                method: method, url: address.url.absoluteString + path,
                headers: [
                    .init(name: "Content-Type", value: "application/json"),
                    .init(name: "X-LC-Id", value: address.applicationID),
                    .init(name: "X-LC-Key", value: Self.masterKey + ",master"),
                ], body: try body.map { try $0.encoded() }))
        let text = String(decoding: answer.body, as: UTF8.self)
        try #require((200..<300).contains(answer.status), "\(method) \(path): \(answer.status) \(text)")
        return try JSONValue(parsing: answer.body)
    }

    /// Sends a push to everybody, as far as it goes at this moment; gives its id.
    func push(_ body: JSONValue) async throws -> String {
        let answer = try await master("POST", "/1.1/push", body)
        try await work()
        guard case .string(let id)? = answer["objectId"] else { throw StoreError(.invalid, "no objectId") }
        return id
    }

    func push(_ text: String) async throws -> String { try await push(["data": ["alert": .string(text)]]) }

    /// Does all that can be done at the present time.
    func work() async throws {
        var sender = delivery.makeSender()
        // A schedule makes a push, the push batches, and batches an end: three rounds.
        for _ in 0..<3 {
            try await delivery.scheduleOnce()
            while try await delivery.sendOnce(&sender) {}
        }
        try await delivery.scheduleOnce()
    }

    func record(_ push: String) async throws -> JSONValue {
        try await master("GET", "/1.1/notifications/\(push)")
    }

    /// The steps of `explain`, each as "step state".
    func explain(_ push: String, _ installation: String) async throws -> [String] {
        let answer = try await master("GET", "/1.1/explain?push=\(push)&installation=\(installation)")
        guard case .array(let steps)? = answer["steps"] else { return [] }
        return steps.map { step in
            ["step", "state"].map { if case .string(let text)? = step[$0] { text } else { "" } }
                .joined(separator: " ")
        }
    }

    // MARK: The phone

    /// The app's notification part.
    var belfry: Belfry {
        get async throws { try #require(await phone.app(EndToEndApp.self)?.belfry) }
    }

    /// Installs the app, opens it, allows notifications and waits for its registration; gives the installation's id.
    func openApp() async throws -> String {
        let address = address
        var manifest = EndToEndApp.manifest
        manifest.serviceExtension = { ReceiptExtension(address, storage: $0) }
        try await phone.install(manifest) { EndToEndApp(address) }
        return try await register()
    }

    /// Opens the app, and waits for its registration.
    func register() async throws -> String {
        try await phone.open(Self.topic)
        _ = try await belfry.permission.request()
        await phone.settle()
        return try #require(try await belfry.registration.state.objectID)
    }

    /// Waits until the list holds exactly these texts, newest first.
    func waitForList(_ bodies: [String]) async {
        await phone.wait { $0.list.map(\.body) == bodies }
        await phone.settle()
    }
}

/// The app of these tests.
final class EndToEndApp: BelfryApp {
    static let manifest = AppManifest(
        bundleIdentifier: World.topic, name: "News", version: "2.4", backgroundModes: [.remoteNotification])
    var belfry: Belfry?
    var reminders: Reminders?
    private(set) var opened: [String] = []
    private let address: PushServiceAddress?

    init() { address = nil }
    init(_ address: PushServiceAddress) { self.address = address }

    func makeBelfry(_ application: Application) -> Belfry {
        let reminders = Reminders(application: application)
        self.reminders = reminders
        let belfry = Belfry(
            service: address, application: application, reportsReceipts: true,
            hooks: Belfry.Hooks(reminders: reminders))
        belfry.onEvent { [weak self] event in
            if case .opened(let notification, _) = event { self?.opened.append(notification.body) }
        }
        return belfry
    }
}

/// The app's service extension, which tells the push service that a push arrived.
final class ReceiptExtension: UNNotificationServiceExtension {
    private let work: ServiceExtensionWork

    init(_ address: PushServiceAddress, storage: AppStorage) {
        work = ServiceExtensionWork(
            receipts: DeliveryReceipts(service: address, sharedStorage: storage, transport: PhoneTransport())
        ) { _ in nil }
    }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        work.receive(request, contentHandler)
    }

    override func serviceExtensionTimeWillExpire() { work.expire() }
}
