import APNs
import APNsGateway
import FoundationEssentials
import SQLite
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite(.timeLimit(.minutes(5)))
struct GatewayStoreTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Registries behind a lock, with a store that saves them.
    private final class Saved: Sendable {
        let world: Mutex<World>
        let store: GatewayStore

        init(_ world: World, _ store: GatewayStore) {
            var world = world
            world.registries.collectsChanges = true
            self.world = Mutex(world)
            self.store = store
            store.setSource { [self] complete in
                self.world.withLock { $0.registries.takeBatch(complete: complete) }
            }
        }

        func change(_ body: (inout World) throws -> Void) throws {
            try world.withLock { world in try body(&world) }
            store.noteChanges()
        }

        var contents: RegistryContents { world.withLock { $0.devices.contents } }
        var channels: [Channel] { world.withLock { $0.registries.channels.all } }
    }

    private func open(_ policy: DevicePolicy = DevicePolicy()) async throws -> Saved {
        let store = try await GatewayStore.open(folder: folder.path)
        var world = World(policy)
        world.registries = try await store.load(policy: policy)
        return Saved(world, store)
    }

    @Test func `everything a registry knows survives a restart`() async throws {
        var policy = DevicePolicy()
        policy.backgroundPushesPerApp = .init(count: 1, milliseconds: 3_600_000)
        let saved = try await open(policy)
        try saved.change { world in
            let device = try world.addPhone("Anna's phone 📱")
            let token = try world.register(device)
            let topic = World.topic("com.example.app.push-type.liveactivity")
            _ = try world.register(device, topic, instance: "match", expires: world.now + 5_000)
            _ = world.push(
                token, priority: .normal, expiration: .never, pushType: nil, collapseID: "ü",
                payload: "{\"a\":\0}")
            _ = world.push(token, pushType: .background)
            _ = world.push(token, pushType: .background)
            try world.setOnline(device, false)
            _ = world.push(token, expiration: world.seconds(after: 60_000))
            try world.registries.devices.setPowerSaving(device, true, at: world.now)

            let (gone, goneToken) = try world.addApp()
            try world.registries.devices.uninstall(gone, app: nil, at: world.now)
            _ = world.push(goneToken)
            let (returnable, returnableToken) = try world.addApp()
            try world.registries.devices.unregister(returnable, returnableToken, at: world.now)
            let (off, _) = try world.addApp()
            try world.registries.devices.setEnabled(off, app: nil, false)

            let follower = try world.addPhone()
            let followerToken = try world.register(follower)
            for policy in MessageStoragePolicy.allCases {
                let id = try #require(
                    world.registries.channels.create(
                        bundleID: "com.example.app", environment: .sandbox, storagePolicy: policy,
                        at: world.now,
                        using: &world.generator))
                try world.registries.subscribe(follower, followerToken, to: id)
                _ = world.registries.publish(
                    BroadcastMessage(
                        id: world.id(77), priority: .low, expiration: .unspecified, payload: [1, 2],
                        receivedAtMilliseconds: world.now), to: id, bundleID: "com.example.app",
                    environment: .sandbox, at: world.now)
            }
            world.registries.channels.setBroadcastEnabled(false, bundleID: "x.y", environment: .production)
        }
        try await saved.store.flush()
        let contents = saved.contents
        let channels = saved.channels
        #expect(contents.deliveries.count == 4 && contents.tokens.count == 6 && channels.count == 2)
        #expect(contents.apps.contains { $0.stored != nil && $0.held != nil })
        await saved.store.close()

        let again = try await open(policy)
        #expect(again.contents == contents)
        #expect(again.channels == channels)
        #expect(
            again.world.withLock {
                $0.registries.channels.isBroadcastEnabled(bundleID: "x.y", environment: .production)
            }
                == false)
        let deadline = again.world.withLock { $0.registries.devices.nextDeadline() }
        #expect(deadline == World.start + 60_000)
        await again.store.close()
    }

    @Test func `what is deleted is gone after a restart`() async throws {
        let saved = try await open()
        try saved.change { world in
            let (device, token) = try world.addApp()
            let (kept, keptToken) = try world.addApp()
            _ = world.push(token)
            _ = world.push(keptToken)
            try world.setOnline(kept, false)
            _ = world.push(keptToken)
            _ = device
            for _ in 0..<2 {
                _ = world.registries.channels.create(
                    bundleID: "a.b", environment: .sandbox, storagePolicy: .noMessage, at: 0,
                    using: &world.generator)
            }
        }
        try await saved.store.flush()
        try saved.change { world in
            let devices = world.devices.contents.devices
            let online = try #require(devices.first { $0.isOnline }).id
            let offline = try #require(devices.first { !$0.isOnline }).id
            try world.registries.devices.forget(online, at: world.now)
            try world.setOnline(offline, true)
            let channel = try #require(world.registries.channels.all.first)
            _ = world.registries.channels.delete(channel.id, bundleID: "a.b", environment: .sandbox)
        }
        await saved.store.close()
        let again = try await open()
        #expect(again.contents == saved.contents)
        #expect(again.contents.devices.count == 1 && again.contents.apps.allSatisfy { $0.stored == nil })
        #expect(again.contents.deliveries.count == 2)
        #expect(again.channels == saved.channels && again.channels.count == 1)
        await again.store.close()
    }

    @Test(.timeLimit(.minutes(5))) func `changes are written by themselves after they are noted`()
        async throws
    {
        let saved = try await open()
        try saved.change { world in _ = try world.addApp() }
        while saved.store.writeCount == 0 { await Task.yield() }
        let reader = try Database(
            path: folder.file(GatewayStore.fileName), configuration: .init(access: .readOnly))
        #expect(try reader.first("SELECT count(*) FROM token") { row in row[0] } == 1)
        await saved.store.close()
    }

    @Test func `many changes are one write`() async throws {
        let saved = try await open()
        for _ in 0..<500 { try saved.change { world in _ = try world.addApp() } }
        try await saved.store.flush()
        #expect(saved.store.writeCount < 50)
        await saved.store.close()
        #expect(try await open().contents.devices.count == 500)
    }

    @Test func `random histories survive a restart after every step that is saved`() async throws {
        for seed in 0..<4 as Range<UInt64> {
            var policy = DevicePolicy()
            policy.tokensPerDeviceMax = 5
            policy.deliveriesPerDeviceMax = 3
            policy.deliveriesMax = 6
            let path = folder.file("history\(seed).sqlite")
            var store = try await GatewayStore.open(path: path)
            var saved = Saved(World(policy), store)
            var generator = SplitMix(seed: seed)
            for _ in 0..<40 {
                try saved.change { world in try Self.mutate(&world, &generator) }
                try await store.flush()
                let contents = saved.contents.sorted()
                await store.close()
                store = try await GatewayStore.open(path: path)
                var world = saved.world.withLock { $0 }
                world.registries = try await store.load(policy: policy)
                #expect(world.devices.contents.sorted() == contents, "seed \(seed)")
                saved = Saved(world, store)
            }
            await store.close()
        }
    }

    private static func mutate(_ world: inout World, _ generator: inout SplitMix) throws {
        for _ in 0..<20 {
            let rows = world.devices.contents
            let device = rows.devices.randomElement(using: &generator)?.id
            switch (Int.random(in: 0..<10, using: &generator), device) {
            case (0, _), (_, nil): _ = try world.addApp()
            case (1, let device?): try world.setOnline(device, Bool.random(using: &generator))
            case (2, let device?):
                _ = try? world.registries.devices.reinstall(
                    device, app: nil, at: world.now, using: &world.generator)
            case (3, let device?): try world.registries.devices.uninstall(device, app: nil, at: world.now)
            case (4, let device?) where rows.devices.count > 3:
                try world.registries.devices.forget(device, at: world.now)
            case (5, _): world.wait(70_000)
            default:
                if let token = rows.tokens.randomElement(using: &generator)?.token { _ = world.push(token) }
            }
        }
    }

    @Test func `a process that is killed loses the last batch at most`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let store = try await GatewayStore.open(folder: path)
            let saved = Saved(World(), store)
            try saved.change { world in for _ in 0..<100 { _ = try world.addApp() } }
            try await store.flush()
            try saved.change { world in for _ in 0..<100 { _ = try world.addApp() } }
            kill(getpid(), SIGKILL)
        }
        let again = try await open()
        let count = again.contents.devices.count
        #expect(count == 100 || count == 200, "all of a batch or nothing of it, not \(count)")
        #expect(again.contents.tokens.count == count)
        await again.store.close()
    }

    @Test func `a full disk stops neither the gateway nor, once there is room, the saving`() async throws {
        let path = folder.file("full.sqlite")
        let store = try await GatewayStore.open(path: path, pageCountMax: 60)
        let saved = Saved(World(), store)
        try saved.change { world in _ = try world.addApp() }
        try await store.flush()
        let big = String(repeating: "x", count: 3_000)
        try saved.change { world in
            for _ in 0..<100 {
                let (_, token) = try world.addApp()
                _ = world.push(token, payload: big)
            }
        }
        let error = await #expect(throws: GatewayError.self) { try await store.flush() }
        #expect(error?.code == .storage)
        #expect(store.failure?.message.contains("full") == true)
        try saved.change { world in
            for device in world.devices.contents.devices.dropLast(2) {
                try world.registries.devices.forget(device.id, at: world.now)
            }
        }
        try await store.flush()
        #expect(store.failure == nil)
        await store.close()
        let again = try await GatewayStore.open(path: path)
        #expect(try await again.load(policy: DevicePolicy()).devices.contents == saved.contents)
        await again.close()
    }

    @Test func `a file of a newer gateway is refused`() async throws {
        await (try open()).store.close()
        let database = try Database(path: folder.file(GatewayStore.fileName))
        try database.execute("INSERT INTO schema_version VALUES (99, 'future')")
        let error = await #expect(throws: GatewayError.self) {
            try await GatewayStore.open(folder: folder.path)
        }
        #expect(error?.message.contains("schema version 99") == true)
    }

    @Test(arguments: [
        "UPDATE token SET token = x''", "UPDATE token SET state = 'odd'", "UPDATE token SET family = 'odd'",
        "UPDATE token SET topic = 'ö'", "UPDATE app SET environment = 'odd'",
        "UPDATE app SET is_installed = 7",
        "UPDATE delivery SET apns_id = x'00'", "UPDATE delivery SET priority = 3",
        "UPDATE delivery SET channel = '%'",
        "UPDATE delivery SET push_type = 'odd'", "UPDATE delivery SET collapse_id = ''",
    ])
    func `a row that means nothing is an error and no crash`(statement: String) async throws {
        let saved = try await open()
        try saved.change { world in
            let (_, token) = try world.addApp()
            _ = world.push(token, collapseID: "a")
        }
        await saved.store.close()
        let database = try Database(path: folder.file(GatewayStore.fileName))
        #expect(try database.execute(statement) == 1)
        let store = try await GatewayStore.open(folder: folder.path)
        let error = await #expect(throws: GatewayError.self) { try await store.load(policy: DevicePolicy()) }
        #expect(error?.code == .storage)
        await store.close()
    }
}
