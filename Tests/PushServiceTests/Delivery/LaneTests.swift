import Testing

@testable import PushService

@Suite(.timeLimit(.minutes(1)))
struct LaneTests {
    @Test(arguments: [(1.0, 2), (60, 2), (61, 3), (600, 11), (100_000, 16)])
    func `as many lanes as answers take long`(milliseconds: Double, lanes: Int) {
        var governor = LaneGovernor()
        #expect(governor.laneCount == LaneGovernor.laneCountMin)
        for _ in 0..<100 { governor.record(milliseconds: milliseconds) }
        #expect(governor.laneCount == lanes)
        for _ in 0..<200 { governor.record(milliseconds: 1) }
        #expect(governor.laneCount == 2)
    }

    @Test func `a signal wakes everybody who waits`() async {
        let signal = WakeSignal()
        let seen = signal.generation
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { await signal.wait(after: seen, for: .seconds(3_600)) } }
            signal.signal()
            await group.waitForAll()
        }
        #expect(signal.generation == seen + 1)
    }

    @Test func `a signal from before the wait is not missed`() async {
        let signal = WakeSignal()
        let seen = signal.generation
        signal.signal()
        await signal.wait(after: seen, for: .seconds(3_600))
    }

    @Test func `a wait ends with its time or its task`() async {
        let signal = WakeSignal()
        await signal.wait(after: signal.generation, for: .milliseconds(1))
        let task = Task { await signal.wait(after: signal.generation, for: .seconds(3_600)) }
        task.cancel()
        await task.value
    }
}
