import Synchronization
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5)))
struct EventLoopTests {
    @Test func `jobs run in the order they were handed in, on the loop's thread`() async {
        let loop = EventLoop(name: "test-order")
        defer { loop.shutdown() }
        let seen = Mutex<[Int]>([])
        let done = Signal()
        for number in 0..<1000 {
            loop.execute { seen.withLock { $0.append(loop.isCurrent ? number : -1) } }
        }
        loop.execute { done.fire() }
        await done.wait()
        #expect(seen.withLock { $0 } == Array(0..<1000))
        #expect(!loop.isCurrent)
    }

    @Test func `a job handed in by a job runs after those that wait`() async {
        let loop = EventLoop(name: "test-nested")
        defer { loop.shutdown() }
        let seen = Mutex<[String]>([])
        let done = Signal()
        loop.execute {
            loop.execute {
                seen.withLock { $0.append("inner") }
                done.fire()
            }
            seen.withLock { $0.append("outer") }
        }
        await done.wait()
        #expect(seen.withLock { $0 } == ["outer", "inner"])
    }

    @Test func `eight threads hammer two loops and no job is lost or runs beside another`() async throws {
        let group = EventLoopGroup(count: 2, name: "test-hammer")
        defer { group.shutdown() }
        let counters = group.loops.map { LoopBound<Int>(loop: $0) }
        let done = Signal()
        let (threads, jobs) = (8, 5000)
        try await withThrowingTaskGroup { tasks in
            for _ in 0..<threads {
                tasks.addTask {
                    try await offPool {
                        for number in 0..<jobs {
                            let index = number % 2
                            group.loops[index].execute {
                                counters[index].value = (counters[index].value ?? 0) + 1
                                if counters[index].value == threads * jobs / 2 { done.fire() }
                            }
                        }
                    }
                }
            }
            try await tasks.waitForAll()
        }
        await done.wait(count: 2)
    }

    @Test func `a loop that has shut down drops jobs and says so`() async {
        let loop = EventLoop(name: "test-end")
        let ran = Signal()
        loop.shutdown()
        loop.shutdown()
        while loop.execute({ ran.fire() }) { await Task.yield() }
        #expect(!loop.execute { Issue.record("ran after the end") })
    }

    @Test func `every job that was accepted around a shutdown runs`() async throws {
        for _ in 0..<50 {
            let loop = EventLoop(name: "test-race")
            let ran = Counter()
            let accepted = Counter()
            let ended = Signal()
            try await withThrowingTaskGroup { tasks in
                for _ in 0..<3 {
                    tasks.addTask {
                        try await offPool {
                            while loop.execute({ ran.increase() }) {
                                accepted.increase()
                            }
                            ended.fire()
                        }
                    }
                }
                tasks.addTask {
                    try await offPool { loop.shutdown() }
                }
                try await tasks.waitForAll()
            }
            await ended.wait(count: 3)
            // The last jobs may still be running on the loop's thread.
            while ran.value < accepted.value { await Task.yield() }
            #expect(ran.value == accepted.value)
        }
    }

    @Test func `timers fire in the order of their delays and a cancelled one never does`() async {
        let loop = EventLoop(name: "test-timers")
        defer { loop.shutdown() }
        let seen = Mutex<[Int]>([])
        let done = Signal()
        loop.execute {
            for delay in [30, 10, 20] {
                loop.schedule(after: .milliseconds(delay)) { seen.withLock { $0.append(delay) } }
            }
            let cancelled = loop.schedule(after: .milliseconds(5)) { Issue.record("fired after cancel") }
            cancelled.cancel()
            cancelled.cancel()
            loop.schedule(after: .milliseconds(60)) { done.fire() }
        }
        await done.wait()
        #expect(seen.withLock { $0 } == [10, 20, 30])
    }

    @Test func `a repeating timer can end itself`() async {
        let loop = EventLoop(name: "test-repeat")
        defer { loop.shutdown() }
        let runs = Counter()
        let done = Signal()
        loop.execute {
            let slot = LoopBound<EventLoopTimer>(loop: loop)
            slot.value = loop.schedule(after: .zero, repeating: .milliseconds(1)) {
                guard runs.increase() == 3 else { return }
                slot.value?.cancel()
                slot.value = nil
                loop.schedule(after: .milliseconds(20)) { done.fire() }
            }
        }
        await done.wait()
        #expect(runs.value == 3)
    }

    @Test func `shutting down lets go of timers that have not fired and of the loop`() async {
        final class Token: Sendable {}
        weak var loopSeen: EventLoop?
        weak var tokenSeen: Token?
        do {
            let loop = EventLoop(name: "test-release")
            let token = Token()
            (loopSeen, tokenSeen) = (loop, token)
            let set = Signal()
            loop.execute {
                loop.schedule(after: .seconds(3600)) { Issue.record("fired \(token)") }
                loop.schedule(after: .seconds(3600), repeating: .seconds(1)) {
                    Issue.record("fired \(token)")
                }
                set.fire()
            }
            await set.wait()
            loop.shutdown()
        }
        while loopSeen != nil || tokenSeen != nil { await Task.yield() }
    }

    @Test func `a loop ends even when the end of a connection sets a timer`() async throws {
        let server = try await SilentListener()
        weak var seen: EventLoop?
        do {
            let loop = EventLoop(name: "test-reopen")
            seen = loop
            let connected = Signal()
            let ended = Signal()
            let address = try #require(SocketAddress(literal: "127.0.0.1", port: server.port))
            loop.execute {
                let socket = TCPStream(loop: loop)
                socket.connect(to: address) { _ in
                    socket.start(delegate: Restless(loop: loop, ended: ended))
                    connected.fire()
                }
            }
            await connected.wait()
            loop.shutdown()
            await ended.wait()
        }
        while seen != nil { await Task.yield() }
    }

    @Test(arguments: [
        (Duration.zero, 0 as UInt64), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
        (.seconds(2), 2000), (.seconds(-1), 0), (.nanoseconds(-1), 0),
    ])
    func `durations become whole milliseconds, rounded up`(duration: Duration, milliseconds: UInt64) {
        #expect(duration.milliseconds == milliseconds)
    }

    @Test func `a group hands its loops out in turn and has one at least`() {
        let group = EventLoopGroup(count: 3)
        defer { group.shutdown() }
        let handed = (0..<7).map { _ in group.next() }
        #expect((0..<4).allSatisfy { handed[$0] === handed[$0 + 3] })
        #expect(Set(handed.map(ObjectIdentifier.init)).count == 3)
        let least = EventLoopGroup(count: 0)
        defer { least.shutdown() }
        #expect(least.loops.count == 1)
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)

        var value: Int { count.load(ordering: .relaxed) }

        @discardableResult
        func increase() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    /// Sets a timer when its socket ends, as a client does that connects again.
    private final class Restless: TCPStream.Delegate {
        let loop: EventLoop
        let ended: Signal

        init(loop: EventLoop, ended: Signal) {
            self.loop = loop
            self.ended = ended
        }

        func received(_ bytes: UnsafeRawBufferPointer) {}
        func drained() {}
        func ended(_ error: TransportError?) {
            loop.schedule(after: .seconds(3600)) { Issue.record("fired after the end") }
            ended.fire()
        }
    }
}
