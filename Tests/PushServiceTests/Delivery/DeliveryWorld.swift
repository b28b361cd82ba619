import APNs
import APNsClient
import APNsGateway
import Crypto
import FoundationEssentials
import PushStore
import Recurrence
import Synchronization
import Testing
import Transport

@testable import PushService

/// A gateway with phones, a store with their installations, and services between them on a clock that a test sets.
final class DeliveryWorld: Sendable {
    /// A phone with the app on it.
    struct Phone: Sendable {
        var device: DeviceID
        var token: DeviceToken
        var row: Installation
    }

    static let topic = "com.example.news"

    let gateway: Gateway
    let folder: String
    let loops = EventLoopGroup(count: 1, name: "delivery-test")
    private let secret = StoreSecret.random()
    private let time: Mutex<Instant>
    private let parts: Mutex<(store: SQLiteStore, services: [DeliveryService])>
    private let appNumber: Mutex<Int64> = Mutex(0)

    private init(gateway: Gateway, folder: String) async throws {
        self.gateway = gateway
        self.folder = folder
        time = Mutex(Instant(millisecondsSince1970: WallClock.system.millisecondsSince1970))
        let store = try await SQLiteStore.open(path: folder + "/belfry.sqlite", secret: secret)
        parts = Mutex((store, []))
    }

    /// Runs a test; everything is stopped and removed afterwards.
    static func run(
        environments: Set<APNs.Environment> = [.production, .sandbox], hasCredential: Bool = true,
        settings: AppSettings = AppSettings(),
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (DeliveryWorld) async throws -> Void
    ) async throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.path + "/belfry-delivery-\(UUID().uuidString)"
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        var configuration = GatewayConfiguration(folder: folder + "/gateway")
        configuration.productionPort = 0
        configuration.sandboxPort = 0
        configuration.controlPort = 0
        configuration.seed = 1
        configuration.policy.connections.errorThrottle = nil
        configuration.devicePolicy.unregisteredGraceMilliseconds = 0
        configuration.devicePolicy.noticesRemovalOnPush = false
        configure(&configuration)
        let gateway = try await Gateway.start(configuration)
        var failure: (any Error)?
        do {
            let world = try await DeliveryWorld(gateway: gateway, folder: folder)
            try await world.setUp(environments, hasCredential, settings)
            do { try await body(world) } catch { failure = error }
            await world.close()
        } catch {
            failure = error
        }
        await gateway.stop(deadline: .milliseconds(200))
        if let failure { throw failure }
    }

    private func setUp(
        _ environments: Set<APNs.Environment>, _ hasCredential: Bool, _ settings: AppSettings
    ) async throws {
        var app = try await store.createApp(
            id: "news", name: "News", topic: Self.topic, appKey: "app-key-0123456789",
            masterKey: "master-key-0123456789", now: now)
        app.settings = settings
        try await store.updateApp(app, now: now)
        let number = app.number
        appNumber.withLock { $0 = number }
        if hasCredential { try await addCredential(environments) }
    }

    private func close() async {
        for service in parts.withLock({ $0.services }) { await service.shutdown() }
        await store.close()
        loops.shutdown()
    }

    // MARK: Parts

    var store: SQLiteStore { parts.withLock { $0.store } }
    var app: App {
        get async throws {
            let number = appNumber.withLock { $0 }
            return try #require(try await store.apps().first { $0.number == number })
        }
    }
    var now: Instant { time.withLock { $0 } }
    func advance(seconds: Int64) { time.withLock { $0 = $0.advanced(bySeconds: seconds) } }
    func setTime(_ instant: Instant) { time.withLock { $0 = instant } }

    @discardableResult
    func addCredential(
        _ environments: Set<APNs.Environment> = [.production, .sandbox], deviceProfile: String? = nil,
        app: Int64? = nil
    ) async throws -> Int64 {
        let credential = PushCredential(
            secret: .key(
                p8: gateway.identity.signingKey.p8, keyID: gateway.addresses.keyID,
                teamID: gateway.addresses.teamID),
            environments: environments, teamID: gateway.addresses.teamID, deviceProfile: deviceProfile,
            createdAt: now)
        return try await store.addCredential(credential, app: app ?? appNumber.withLock { $0 })
    }

    /// A service on the present store, with the name of a node.
    func service(
        _ owner: String = "node", report: @escaping @Sendable (DeliveryService.Event) -> Void = { _ in }
    ) throws -> DeliveryService {
        func endpoint(_ url: String?) throws -> Endpoint {
            try Endpoint(url: url ?? "", trust: .certificates([gateway.identity.authority.certificate]))
        }
        let service = DeliveryService(
            store: store,
            endpoints: ClientDirectory.Endpoints(
                production: try endpoint(gateway.addresses.production),
                sandbox: try endpoint(gateway.addresses.sandbox)),
            owner: owner, loops: loops, now: { [self] in now }, report: report)
        parts.withLock { $0.services.append(service) }
        return service
    }

    /// Closes the store under whoever uses it, as if the process were killed, and opens the file again.
    func crash() async throws {
        let old = store
        await old.close()
        let new = try await SQLiteStore.open(path: folder + "/belfry.sqlite", secret: secret)
        parts.withLock { $0.store = new }
    }

    // MARK: Phones

    /// Adds phones; their rows know no environment unless told.
    func addPhones(
        _ count: Int, _ environment: APNs.Environment = .production, topic: String = DeliveryWorld.topic,
        fields: [String: JSONValue] = [:]
    ) async throws -> [Phone] {
        let request = RegistrationRequest(topic: try Topic(topic), environment: environment)
        var phones: [Phone] = []
        for number in 0..<count {
            let (device, token) = try gateway.hub.withRegistries { registries, random, now in
                let device = try registries.devices.addDevice(
                    name: "phone \(number)", at: now, using: &random)
                return (
                    device, try registries.devices.register(device, request, at: now, using: &random).token
                )
            }
            phones.append(Phone(device: device, token: token, row: try await save(token.hexString, fields)))
        }
        return phones
    }

    /// Saves a row as an SDK does.
    @discardableResult
    func save(_ token: String, _ fields: [String: JSONValue] = [:]) async throws -> Installation {
        var body = fields
        body["deviceToken"] = .string(token)
        body["deviceType"] = "ios"
        return try await store.save(
            InstallationChange(target: .matching, body: body), app: appNumber.withLock { $0 }, now: now
        ).installation
    }

    /// The payload of the last notification a phone received.
    func payload(_ phone: Phone) -> JSONValue? {
        (deliveries(phone).last?.notification.payload).flatMap { try? JSONValue(parsing: $0) }
    }

    /// Runs a service until a condition holds.
    func running(_ service: DeliveryService, until isMet: () async throws -> Bool) async throws {
        let running = Task { await service.run() }
        do {
            while try await !isMet() { try await Task.sleep(for: .milliseconds(2)) }
        } catch {
            running.cancel()
            await running.value
            throw error
        }
        running.cancel()
        await running.value
    }

    func uninstall(_ phone: Phone) throws {
        try gateway.hub.withRegistries { registries, _, now in
            try registries.devices.uninstall(phone.device, app: nil, at: now)
        }
    }

    func deliveries(_ phone: Phone) -> [Delivery] {
        gateway.hub.read { $0.devices.deliveries(phone.device, after: 0, countMax: 100).deliveries }
    }

    /// How many notifications a phone shows: those with the same identifier take each other's place.
    func shownCount(_ phone: Phone) -> Int { Set(deliveries(phone).map(\.requestIdentifier)).count }

    var journal: [JournalRecord] {
        var all: [JournalRecord] = []
        while true {
            let page = gateway.journal.records(
                JournalQuery(since: all.last?.sequence ?? 0, limit: JournalQuery.limitMax))
            if page.isEmpty { return all }
            all += page
        }
    }

    // MARK: Pushes

    @discardableResult
    func push(
        _ data: [String: JSONValue] = ["alert": "hello"],
        _ change: (inout PushRequest) throws -> Void = { _ in }
    ) async throws -> Push {
        var request = PushRequest(data: data)
        try change(&request)
        return try await store.createPush(request, app: try await app, now: now).push
    }

    /// Does all that can be done at the present time.
    func work(_ service: DeliveryService) async throws {
        var sender = service.makeSender()
        try await service.scheduleOnce()
        while try await service.sendOnce(&sender) {}
        try await service.scheduleOnce()
    }

    func record(_ push: Push) async throws -> PushRecord {
        try #require(try await store.record(id: push.objectID, app: push.app))
    }

    func state(_ push: Push) async throws -> Push? {
        try await store.push(objectID: push.objectID, app: push.app)
    }

    func outcomes(_ push: Push) async throws -> [DeviceOutcome: Int] {
        try await record(push).outcomes.filter { $0.key.isDevice }
    }

    func row(_ phone: Phone) async throws -> Installation? {
        try await store.installation(objectID: phone.row.objectID, app: appNumber.withLock { $0 })
    }
}
