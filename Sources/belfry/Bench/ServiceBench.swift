internal import APNs
internal import APNsClient
internal import Crypto
internal import PushService
internal import PushStore
internal import Recurrence
internal import Synchronization
internal import Transport

/// Measures the push service in this process: registrations, counts and a push to most of a large table.
struct ServiceBench: Sendable {
    /// What opens the database, for filling it and for the rest.
    var openStore: @Sendable (_ isFilling: Bool) async throws -> any Store
    var endpoint: Endpoint
    var installationCount: Int
    var upsertCount: Int
    var callerCount: Int

    private static let topic = "com.example.App"
    private static let pushTimeLimit = Duration.seconds(3600)
    /// Installations in one transaction of the filling.
    private static let sliceCount = 2_000
    private static let zones = ["Asia/Shanghai", "America/New_York", "Europe/Berlin", "Asia/Tokyo"]

    func measure(console: Console) async throws -> ServiceBenchReport {
        var report = ServiceBenchReport(installations: installationCount)
        let filling = try await openStore(true)
        let app: App
        do {
            app = try await makeApp(filling)
            let started = ContinuousClock.now
            try await fill(filling, app, console: console)
            report.importSeconds = started.duration(to: .now) / .seconds(1)
            await filling.close()
        } catch {
            await filling.close()
            throw error
        }
        let store = try await openStore(false)
        do {
            report.upsertsPerSecond = try await upserts(store, app)
            try await count(store, app, &report)
            for _ in 0..<2 { report.pushes.append(try await push(store, app)) }
            report.busyPush = try await push(store, app, hasCompany: true)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
        return report
    }

    private static func now() -> Instant {
        Instant(millisecondsSince1970: WallClock.system.millisecondsSince1970)
    }

    private func makeApp(_ store: any Store) async throws -> App {
        let now = Self.now()
        let app = try await store.createApp(
            id: "bench000", name: "Bench", topic: Self.topic, appKey: AppSecret.make(),
            masterKey: AppSecret.make(), now: now)
        let key = try SigningKey.generate()
        _ = try await store.addCredential(
            PushCredential(
                secret: .key(p8: key.p8, keyID: "BENCHKEY01", teamID: "BENCHTEAM1"),
                environments: [.production, .sandbox], teamID: "BENCHTEAM1", createdAt: now),
            app: app.number)
        return app
    }

    private func fill(_ store: any Store, _ app: App, console: Console) async throws {
        var tokens = DeviceTokenSequence()
        let now = Self.now()
        var index = 0
        while index < installationCount {
            var slice: [ImportedInstallation] = []
            for number in index..<min(index + Self.sliceCount, installationCount) {
                guard let token = tokens.next() else { throw CommandError.failed("no device token") }
                slice.append(
                    ImportedInstallation(fields: [
                        "objectId": .string(Self.objectID(number)), "createdAt": .string(now.iso8601),
                        "updatedAt": .string(now.iso8601), "deviceType": "ios",
                        "deviceToken": .string(token.hexString),
                        "timeZone": .string(Self.zones[number % Self.zones.count]),
                        "channels": .array([.string("c\(number % 10)")]),
                        "level": .integer(Int64(number % 100)),
                    ]))
            }
            let refused = try await store.importInstallations(slice, app: app.number, now: now)
            if let error = refused.compactMap({ $0 }).first { throw CommandError.failed(error.message) }
            index += slice.count
        }
    }

    private static func objectID(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 24 - digits.count) + digits
    }

    /// Registrations of devices that are there, as apps send them at each launch; each is on the disk when it ends.
    private func upserts(_ store: any Store, _ app: App) async throws -> Double {
        let each = max(1, upsertCount / callerCount)
        let started = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<callerCount {
                group.addTask {
                    for turn in 0..<each {
                        let number = (caller * 7_919 + turn * 104_729) % max(1, installationCount)
                        _ = try await store.save(
                            InstallationChange(
                                target: .matching,
                                body: [
                                    "objectId": .string(Self.objectID(number)), "deviceType": "ios",
                                    "appVersion": .string("1.\(turn)"),
                                ]), app: app.number, now: Self.now())
                    }
                }
            }
            try await group.waitForAll()
        }
        return Double(each * callerCount) / (started.duration(to: .now) / .seconds(1))
    }

    private func count(
        _ store: any Store, _ app: App, _ report: inout ServiceBenchReport
    ) async throws {
        let conditions: [(String, JSONValue)] = [
            ("deviceType and valid", ["deviceType": "ios", "valid": true]),
            ("timeZone", ["timeZone": "Asia/Tokyo"]),
            ("one channel", ["channels": "c3"]),
            ("a custom field", ["level": ["$lt": 60]]),
        ]
        for (name, json) in conditions {
            let filter = try WhereClause(json)
            let started = ContinuousClock.now
            let found = try await store.installationCount(filter, app: app.number, now: Self.now())
            report.counts.append(
                .init(
                    condition: name, found: found,
                    milliseconds: started.duration(to: .now) / .milliseconds(1)))
        }
    }

    /// A push to most of the table.
    ///
    /// - Parameter hasCompany: whether pushes to one device each are sent while it is under way.
    private func push(
        _ store: any Store, _ app: App, hasCompany: Bool = false
    ) async throws -> ServiceBenchReport.Push {
        let loops = EventLoopGroup(count: 1, name: "apns")
        let (ends, ended) = AsyncStream.makeStream(of: Push.self)
        let delivery = DeliveryService(
            store: store, endpoints: .init(production: endpoint, sandbox: endpoint), owner: "bench",
            loops: loops, now: Self.now
        ) { event in
            if case .ended(let push) = event { ended.yield(push) }
        }
        var request = PushStore.PushRequest(data: ["alert": "Hello from the benchmark", "title": "News"])
        request.filter = try WhereClause(["level": ["$lt": 60]])
        let before = ProcessUsage.now()
        let started = ContinuousClock.now
        let push = try await store.createPush(request, app: app, now: Self.now()).push
        let latencies = Latencies()
        await withTaskGroup(of: Void.self) { group in
            if hasCompany {
                group.addTask {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: .milliseconds(300))
                        guard let taken = try? await self.smallPush(store, app, delivery) else { continue }
                        latencies.values.withLock { $0.append(taken) }
                    }
                }
            }
            group.addTask { await delivery.run() }
            group.addTask {
                for await other in ends where other.number == push.number { return }
            }
            group.addTask { try? await Task.sleep(for: Self.pushTimeLimit) }
            await group.next()
            group.cancelAll()
        }
        let elapsed = started.duration(to: .now) / .seconds(1)
        let after = ProcessUsage.now()
        loops.shutdown()
        guard let record = try await store.record(id: push.objectID, app: app.number) else {
            throw CommandError.failed("the push's record is gone")
        }
        return ServiceBenchReport.Push(
            devices: record.deviceCount, successes: record.successCount, seconds: elapsed,
            cpuMicroseconds: (after.cpu - before.cpu) / .microseconds(1) / Double(max(1, record.deviceCount)),
            residentMebibytes: Double(after.residentByteCount) / 1_048_576,
            smallPushMilliseconds: latencies.values.withLock { $0.sorted() })
    }

    private final class Latencies: Sendable {
        let values = Mutex<[Double]>([])
    }

    /// How long a push to one device takes from its request to APNs' answer, in milliseconds.
    private func smallPush(
        _ store: any Store, _ app: App, _ delivery: DeliveryService
    ) async throws -> Double {
        var request = PushStore.PushRequest(data: ["alert": "Only for you"])
        let objectID = Self.objectID(Int.random(in: 0..<installationCount))
        request.filter = try WhereClause(["objectId": .string(objectID)])
        let started = ContinuousClock.now
        let push = try await store.createPush(request, app: app, now: Self.now()).push
        delivery.wakeUp()
        while try await store.record(id: push.objectID, app: app.number)?.successCount != 1 {
            try await Task.sleep(for: .milliseconds(2))
        }
        return started.duration(to: .now) / .milliseconds(1)
    }
}
