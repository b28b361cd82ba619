#if canImport(VirtualPhone)
internal import APNsGateway
internal import BelfryKit
internal import Foundation
internal import PushConsole
internal import PushService
internal import PushStore
internal import Recurrence
internal import Synchronization
internal import Transport
internal import VirtualPhone

/// Everything in one process: a gateway, the push service with its console, a few thousand people, two phones.
struct Demo: Sendable {
    struct Configuration: Sendable {
        var folder: String
        var port: UInt16
    }

    /// What a demo says of itself when it is ready.
    struct Ready: Encodable, Sendable {
        var console: String
        var user: String
        var password: String
        var phones: [String]
        var api: String
        var gateway: String
        var control: String
        var installations: Int
    }

    private let folder: String
    private let lock: FolderLock
    private let clock: DemoClock
    private let store: SQLiteStore
    private let gateway: Gateway
    private let process: PushServiceProcess
    private let phones: DemoPhones
    private let log: Log
    let ready: Ready

    /// Starts everything; the folder is made, or one of an earlier demo is taken up.
    static func start(_ configuration: Configuration, log: Log) async throws -> Demo {
        try FileManager.default.createDirectory(
            atPath: configuration.folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard let lock = try FolderLock.take(configuration.folder) else {
            throw CommandError.unavailable("another service works on \(configuration.folder)")
        }
        let store = try await openStore(configuration.folder)
        do {
            let gateway = try await startGateway(configuration.folder)
            do {
                return try await start(configuration, lock, store, gateway, log: log)
            } catch {
                await gateway.stop()
                throw error
            }
        } catch {
            await store.close()
            throw error
        }
    }

    private static func openStore(_ folder: String) async throws -> SQLiteStore {
        let secret = try StoreSecret.load(folder: folder, environment: [:])
        return try await SQLiteStore.open(
            path: folder + "/" + SQLiteStore.fileName, secret: secret,
            configuration: SQLiteStore.Configuration())
    }

    private static func startGateway(_ folder: String) async throws -> Gateway {
        var configuration = GatewayConfiguration(folder: folder)
        configuration.productionPort = 0
        configuration.sandboxPort = 0
        configuration.controlPort = 0
        return try await Gateway.start(configuration)
    }

    private static func start(
        _ configuration: Configuration, _ lock: FolderLock, _ store: SQLiteStore, _ gateway: Gateway,
        log: Log
    ) async throws -> Demo {
        var memory = DemoMemory.load(configuration.folder)
        let clock = DemoClock(aheadMilliseconds: memory.aheadMilliseconds)
        let addresses = gateway.addresses
        let app = try await DemoService.prepare(store, gateway: addresses, now: clock.now)
        if !memory.isSeeded {
            var audience = DemoAudience(seed: 1)
            try await audience.seed(gateway, store, app: app, now: clock.now)
            memory.isSeeded = true
            try memory.save(configuration.folder)
        }
        // The phones of the last run are gone with its process; APNs hears of it when it next asks for them.
        for device in memory.devices { try? forget(device, in: gateway) }
        let pages = Late<DemoPages>()
        var service = PushServiceProcess.Configuration(
            host: "127.0.0.1", port: configuration.port, endpoints: try DemoService.endpoints(addresses),
            threadCount: 1, owner: PushServiceProcess.sqliteOwner)
        service.console.gatewayControl = addresses.control
        service.console.navigation =
            [NavigationItem(english: "Phones", chinese: "手机", path: PhonePage.path)].compactMap(\.self)
        service.now = { clock.now }
        // A journey to tomorrow is no night in which somebody was away.
        service.console.signInTime = {
            Instant(millisecondsSince1970: WallClock.system.millisecondsSince1970)
        }
        service.pages = { request in await pages.value?.respond(to: request) }
        let process = try PushServiceProcess.start(store: store, service, log: log)
        let line = ServiceReadyLine(
            host: "127.0.0.1", port: process.server.port,
            store: configuration.folder + "/" + SQLiteStore.fileName)
        guard let url = URL(string: line.api) else { throw CommandError.failed("\(line.api) is no URL") }
        let phones = try await DemoPhones(
            control: addresses.control,
            service: PushServiceAddress(
                url: url, applicationID: DemoService.appID, applicationKey: DemoService.appKey),
            now: clock.now)
        pages.set(
            DemoPages(
                phones,
                DemoTime(clock: clock, store: store, delivery: process.delivery, phones: phones)))
        return Demo(
            folder: configuration.folder, lock: lock, clock: clock, store: store, gateway: gateway,
            process: process,
            phones: phones, log: log,
            ready: Ready(
                console: line.console, user: DemoService.userName, password: DemoService.password,
                phones: phones.all.map { line.api + PhonePage.path + "/" + $0.owner.id },
                api: line.api, gateway: addresses.production ?? "", control: addresses.control,
                installations: try await store.installationCount(nil, app: app.number, now: clock.now)
                    + phones.all.count))
    }

    private static func forget(_ device: String, in gateway: Gateway) throws {
        guard let id = DeviceID(device) else { return }
        try gateway.hub.withRegistries { registries, _, now throws(GatewayError) in
            try registries.devices.uninstall(id, app: nil, at: now)
        }
    }

    /// Keeps what the next run has to know.
    private func remember() {
        do {
            try DemoMemory(
                isSeeded: true, aheadMilliseconds: clock.aheadMilliseconds, devices: phones.devices
            ).save(folder)
        } catch {
            log.warning("the demo's state is not kept", ["error": "\(error)"])
        }
    }

    /// Works until asked to stop.
    ///
    /// - Parameter isReady: called when the phones have registered and show the first push.
    func run(until stop: StopRequest, isReady: @escaping @Sendable () -> Void) async throws {
        let failure: (any Error)?
        do {
            try await work(until: stop, isReady)
            failure = nil
        } catch {
            failure = error
        }
        remember()
        await phones.disconnect()
        await gateway.stop()
        await store.close()
        withExtendedLifetime(lock) {}
        if let failure { throw failure }
    }

    private func work(until stop: StopRequest, _ isReady: @escaping @Sendable () -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await process.run(until: stop) }
            group.addTask { await phones.run() }
            do {
                try await phones.open()
                remember()
                try await welcome()
                await phones.waitUntilShown()
                isReady()
            } catch {
                group.cancelAll()
                throw error
            }
            // The service ends when it is told to; the phones' clocks run for ever.
            try await group.next()
            group.cancelAll()
        }
    }

    /// The first push, as anybody's backend would send it.
    private func welcome() async throws {
        let client = HTTPClient()
        defer { client.close() }
        let body = """
            {"channels": ["news"], "data": {"alert": {"title": "Belfry is up", "body": "Tap me: the open is counted."},
             "title-zh": "Belfry 已就绪", "alert-zh": "点一下，打开数会加一。", "category": "\(NewsApp.category)",
             "thread-id": "welcome", "sound": "default"}}
            """
        let answer = try await client.send(
            HTTPClientRequest(
                method: "POST", url: ready.api + "/1.1/push",
                headers: [
                    .init(name: "X-LC-Id", value: DemoService.appID),
                    .init(name: "X-LC-Key", value: DemoService.masterKey + ",master"),
                    .init(name: "Content-Type", value: "application/json"),
                ], body: Array(body.utf8)))
        guard answer.status / 100 == 2 else {
            throw CommandError.failed("the first push: \(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    /// Something that is there soon after it can be asked for.
    private final class Late<Value: Sendable>: Sendable {
        private let content = Mutex<Value?>(nil)

        var value: Value? { content.withLock { $0 } }

        func set(_ value: Value) { content.withLock { $0 = value } }
    }
}
#endif
