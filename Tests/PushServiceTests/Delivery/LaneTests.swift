import APNsClient
import PushStore
import Recurrence
import Testing
import Transport

@testable import PushService

@Suite(.timeLimit(.minutes(5)))
struct LaneTests {
    /// How many batches are let in where a server answers after a time and takes so many notifications at once.
    private func fullCount(answering: Double, streamCount: Double) -> Int {
        var governor = LaneGovernor()
        for _ in 0..<500 {
            // A processor makes 50,000 notifications a second; a batch waits for its share of it and of streams.
            let count = Double(governor.fullCount) * 1_000
            let rate = min(50_000, min(count, streamCount) / answering * 1_000)
            governor.record(
                milliseconds: max(count / rate * 1_000, answering), answeringMilliseconds: answering)
        }
        return governor.fullCount
    }

    @Test func `as many batches are out as bring throughput and no more`() {
        #expect(fullCount(answering: 1, streamCount: 1_000) == 2, "near")
        #expect(fullCount(answering: 20, streamCount: 16_000) == 2)
        #expect(
            (5...12).contains(fullCount(answering: 200, streamCount: 16_000)), "far, with streams to spare")
        #expect(fullCount(answering: 200, streamCount: 1_000) == 2, "far, with one connection's streams")
        #expect((4...6).contains(fullCount(answering: 1_000, streamCount: 4_000)))
        #expect(fullCount(answering: 2_000, streamCount: 100_000) == 16)
    }

    @Test func `what was let in while APNs was far leaves when it is near`() {
        var governor = LaneGovernor()
        for _ in 0..<100 { governor.record(milliseconds: 2_000, answeringMilliseconds: 2_000) }
        #expect(governor.fullCount == 16)
        for _ in 0..<100 { governor.record(milliseconds: 20, answeringMilliseconds: 5) }
        #expect(governor.fullCount == 2)
        governor.record(milliseconds: 60_000, answeringMilliseconds: nil)
        #expect(governor.fullCount == 2, "no answer says nothing")
    }

    @Test func `places are given to as many as there are`() {
        var governor = LaneGovernor()
        let first = [governor.enter(), governor.enter(), governor.enter()]
        #expect(first == [true, true, false])
        governor.leave()
        let second = [governor.enter(), governor.enter()]
        #expect(second == [true, false])
    }

    @Test func `a signal wakes everybody who waits`() async {
        let signal = WakeSignal(clock: SystemDeliveryClock(wall: { Instant(millisecondsSince1970: 0) }))
        let seen = signal.generation
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { await signal.wait(after: seen, for: .seconds(3_600)) } }
            signal.signal()
            await group.waitForAll()
        }
        #expect(signal.generation == seen + 1)
    }

    @Test func `a signal from before the wait is not missed`() async {
        let signal = WakeSignal(clock: SystemDeliveryClock(wall: { Instant(millisecondsSince1970: 0) }))
        let seen = signal.generation
        signal.signal()
        await signal.wait(after: seen, for: .seconds(3_600))
    }

    @Test func `a wait ends with its time or its task`() async {
        let signal = WakeSignal(clock: SystemDeliveryClock(wall: { Instant(millisecondsSince1970: 0) }))
        await signal.wait(after: signal.generation, for: .milliseconds(1))
        let task = Task { await signal.wait(after: signal.generation, for: .seconds(3_600)) }
        task.cancel()
        await task.value
    }

    // MARK: The watch

    @Test func `one idle lane watches while the others rest, and the one that has rested longest is next`()
        async
    {
        let watch = LaneWatch()
        #expect(await watch.take())
        await withTaskGroup(of: Int.self) { group in
            for lane in 1...3 {
                group.addTask { await watch.take() ? lane : -lane }
                while watch.restingCount < lane { await Task.yield() }
            }
            for lane in 1...3 {
                watch.pass()
                #expect(await group.next() == lane)
            }
        }
        watch.pass()
        #expect(await watch.take(), "nobody has it")
    }

    @Test func `a lane that is cancelled does not get the watch`() async {
        let watch = LaneWatch()
        #expect(await watch.take())
        let cancelled = Task { await watch.take() }
        while watch.restingCount < 1 { await Task.yield() }
        let next = Task { await watch.take() }
        while watch.restingCount < 2 { await Task.yield() }
        cancelled.cancel()
        #expect(await cancelled.value == false)
        watch.pass()
        #expect(await next.value)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await watch.take()
        }
        #expect(await late.value == false)
        #expect(watch.restingCount == 0)
    }

    /// Runs a service that has nothing to do and counts its transactions.
    private func withIdleService(
        _ body: (_ clock: HeldClock, _ count: (_ seconds: Int) async -> Int) async throws -> Void
    ) async throws {
        let gate = Outage()
        let counted = try gate.stores(hasThread: true).failing
        let clock = HeldClock()
        let loops = EventLoopGroup(count: 1, name: "lane-test")
        defer { loops.shutdown() }
        var limits = DeliveryLimits()
        limits.plannerCount = 1
        // As many as have places at the start, so that nobody waits for one.
        limits.laneCount = LaneGovernor.fullCountMin
        let nowhere = try Endpoint(url: "https://127.0.0.1:9")
        let clients = ClientDirectory(
            store: counted, endpoints: .init(production: nowhere, sandbox: nowhere), loops: loops)
        let service = DeliveryService(
            store: counted, clients: clients, owner: "idle", clock: clock, limits: limits, report: { _ in })
        let run = Task { await service.run() }
        // The scheduler, the cleaner, the planner, and the lane that watches.
        await clock.wait(forSleepers: 4)
        func count(seconds: Int) async -> Int {
            let before = gate.passCount
            for _ in 0..<4 * seconds {
                clock.advance(by: .milliseconds(250))
                await clock.wait(forSleepers: 4)
            }
            return gate.passCount - before
        }
        _ = await count(seconds: 2)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(clock, count))
        } catch {
            result = .failure(error)
        }
        run.cancel()
        await run.value
        await counted.close()
        try result.get()
    }

    /// Each second the watch claims and asks for the next time four times, the planner asks once, the scheduler for what
    /// is due, what has ended and what comes next.
    private static let idleCountPerSecond = 4 * 2 + 1 + 3

    @Test func `an idle service asks its database a few times a second, however many lanes it has`()
        async throws
    {
        try await withIdleService { _, count in
            #expect(await count(10) == 10 * Self.idleCountPerSecond)
        }
    }

    @Test func `what is old is removed also after a clock was put back`() async throws {
        try await withIdleService { clock, count in
            // Cleaning is every ten minutes.
            #expect(await count(700) > 700 * Self.idleCountPerSecond)
            clock.set(forwardBySeconds: 30 * 86_400)
            #expect(await count(700) > 700 * Self.idleCountPerSecond)
            clock.set(forwardBySeconds: -30 * 86_400)
            #expect(await count(700) > 700 * Self.idleCountPerSecond)
        }
    }
}
