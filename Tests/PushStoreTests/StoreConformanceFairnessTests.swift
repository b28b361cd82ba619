import APNs
import PushStore
import Recurrence
import Testing

/// Whose turn it is: large pushes and small ones, and apps among each other.
@Suite(.timeLimit(.minutes(10)))
struct StoreConformanceFairnessTests {
    /// A push to one device, planned.
    private func small(_ world: PushWorld, _ number: Int = 1, app: App? = nil) async throws -> Push {
        let token: JSONValue = .string(PushWorld.token(number))
        let push = try await world.push(app: app) { $0.filter = try WhereClause(["deviceToken": token]) }
        try await world.plan()
        return push
    }

    /// Claims and finishes a batch, and says of which push.
    private func send(_ world: PushWorld) async throws -> Int64? {
        guard let batch = try await world.claim() else { return nil }
        try await world.finish(batch)
        return batch.push.number
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a small push goes after one batch of a large one that is under way`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(20_000)
            let large = try await world.push()
            try await world.plan()
            for _ in 0..<5 { #expect(try await send(world) == large.number) }
            let small = try await small(world)
            let next = [try await send(world), try await send(world)]
            #expect(next.contains(small.number))
            while try await send(world) != nil {}
            try await world.plan()
            #expect(try await world.record(large)?.outcomes == [.accepted: 20_000])
            #expect(try await world.record(small)?.outcomes == [.accepted: 1])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `small pushes that keep coming do not starve a large one`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(5_000)
            let large = try await world.push()
            try await world.plan()
            _ = try await small(world)
            var largeCount = 0
            for _ in 0..<90 {
                // There is always another one waiting.
                _ = try await small(world)
                if try await send(world) == large.number { largeCount += 1 }
            }
            #expect((2...6).contains(largeCount), "half as much as the small ones' work comes to")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an app's many large pushes do not hold up another app`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let other = try await world.store.makeApp("other")
            try await world.install(1, app: other)
            try await world.installMany(6_000)
            for _ in 0..<4 { _ = try await world.push() }
            try await world.plan()
            for _ in 0..<6 { _ = try await send(world) }
            let small = try await small(world, app: other)
            let next = [try await send(world), try await send(world)]
            #expect(next.contains(small.number))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an app that was idle has no credit and apps share evenly`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let other = try await world.store.makeApp("other")
            try await world.installMany(20_000)
            try await world.installMany(8_000, app: other)
            let one = try await world.push()
            try await world.plan()
            for _ in 0..<10 { _ = try await send(world) }
            let two = try await world.push(app: other)
            try await world.plan()
            var counts: [Int64: Int] = [:]
            for _ in 0..<8 {
                if let push = try await send(world) { counts[push, default: 0] += 1 }
            }
            #expect(counts == [one.number: 4, two.number: 4])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `two large pushes of an app share evenly`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(10_000)
            let one = try await world.push()
            try await world.plan()
            for _ in 0..<2 { _ = try await send(world) }
            let two = try await world.push()
            try await world.plan()
            var counts: [Int64: Int] = [:]
            for _ in 0..<8 {
                if let push = try await send(world) { counts[push, default: 0] += 1 }
            }
            #expect(counts == [one.number: 4, two.number: 4])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a push that was paused goes on beside those that were not`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(10_000)
            let held = try await world.push()
            try await world.plan()
            _ = try await world.set(.paused, held)
            let other = try await world.push()
            try await world.plan()
            for _ in 0..<2 { #expect(try await send(world) == other.number) }
            _ = try await world.set(.running, held)
            var heldCount = 0
            for _ in 0..<8 where try await send(world) == held.number { heldCount += 1 }
            #expect((3...5).contains(heldCount))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `planning a large audience does not hold up a small push`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(60_000)
            let large = try await world.push()
            _ = try await world.store.advance(now: .test())
            #expect(try await world.store.planChunk(now: .test()))
            let token: JSONValue = .string(PushWorld.token(7))
            let small = try await world.push { $0.filter = try WhereClause(["deviceToken": token]) }
            _ = try await world.store.advance(now: .test())
            for _ in 0..<2 { #expect(try await world.store.planChunk(now: .test())) }
            var pushes: [Int64] = []
            for _ in 0..<3 { pushes.append(try #require(try await send(world))) }
            #expect(pushes.contains(small.number))
            try await world.plan()
            while try await send(world) != nil {}
            try await world.plan()
            #expect(try await world.record(large)?.outcomes == [.accepted: 60_000])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `small pushes that keep coming do not starve the planning of a large one`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(25_000)
            let large = try await world.push()
            _ = try await world.store.advance(now: .test())
            let nobody = try WhereClause(["deviceToken": .string("none")])
            for _ in 0..<12 {
                _ = try await world.push { $0.filter = nobody }
                _ = try await world.push { $0.filter = nobody }
                _ = try await world.store.advance(now: .test())
                _ = try await world.store.planChunk(now: .test())
            }
            let numbers = try await world.sendAll(at: .test())
            #expect(numbers.count >= 20_000)
            try await world.plan()
            _ = try await world.sendAll(at: .test())
            try await world.plan()
            #expect(try await world.record(large)?.outcomes == [.accepted: 25_000])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a batch whose sender died goes before those behind it`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(20_000)
            let push = try await world.push()
            try await world.plan()
            let dead = try #require(try await world.claim("dead"))
            for _ in 0..<3 { #expect(try await send(world) == push.number) }
            let next = try #require(try await world.claim("alive", at: 60))
            #expect(next.number == dead.number && next.generation > dead.generation)
            let error = await #expect(throws: StoreError.self) { try await world.finish(dead, at: 60) }
            #expect(error?.code == .leaseLost)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `batches that become ready together leave room for what comes after`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(5_000)
            let large = try await world.push()
            try await world.plan()
            // As at the end of quiet hours.
            while let batch = try await world.claim() {
                var report = BatchReport(
                    outcomes: Array(repeating: .moved, count: batch.count), next: .finish)
                report.deferrals = [
                    .init(notBefore: .test(100), positions: Array(0..<batch.count), attemptCount: 0)
                ]
                _ = try await world.store.store(report, of: batch, now: .test())
            }
            #expect(try await world.claim(at: 99) == nil)
            #expect(try await world.store.nextBatchTime(held: []) == .test(100))
            let first = try #require(try await world.claim(at: 100))
            #expect(first.push.number == large.number)
            let small = try await small(world)
            let next = [try await world.claim(at: 100), try await world.claim(at: 100)]
            #expect(next.contains { $0?.push.number == small.number })
        }
    }
}
