import Testing
import Transport

@testable import APNsClient

final class PoolMachineTests {
    private static let configuration = PoolMachine.Configuration(
        connectionCountMax: 4, unreachableAfterMilliseconds: 10_000, backOffMilliseconds: 500,
        backOffMillisecondsMax: 8000, surplusIdleMilliseconds: 1000)

    private var machine = PoolMachine(configuration: PoolMachineTests.configuration)
    private static let lost = TransportError(.connectionLost, "cut")

    @Test func `the first work opens one connection and more work opens no second one`() {
        #expect(demand(0) == [.open(1)])
        #expect(demand(1) == [])
        machine.ready(1, now: 2)
        #expect(demand(3) == [])
        #expect(machine.readyCount == 1)
    }

    @Test func `connections that never worked are retried with growing pauses up to a cap`() {
        var now: Int64 = 0
        var pauses: [Int64] = []
        var number = 1
        for _ in 0..<8 {
            var actions: [PoolMachine.Action] = []
            let from = now
            while true {
                actions = demand(now).filter { $0 == .open(number) }
                if !actions.isEmpty { break }
                now += 10
            }
            pauses.append(now - from)
            machine.ended(number, error: Self.lost, jitter: 1, now: now)
            number += 1
        }
        #expect(pauses == [0, 500, 1000, 2000, 4000, 8000, 8000, 8000])
    }

    @Test func `a pause is at least half as long without luck in the draw`() {
        _ = demand(0)
        machine.ended(1, error: Self.lost, jitter: 0, now: 0)
        #expect(demand(249) == [])
        #expect(demand(250) == [.open(2)])
    }

    @Test func `a connection that carried accepted notifications is replaced at once`() {
        _ = demand(0)
        machine.ready(1, now: 10)
        machine.useful(1, now: 20)
        machine.ended(1, error: Self.lost, jitter: 1, now: 30)
        #expect(demand(30) == [.open(2)])
    }

    @Test func `waiting work fails with the last error when nobody can be reached for long`() {
        _ = demand(0)
        machine.ended(1, error: TransportError(.tls, "wrong host"), jitter: 1, now: 100)
        #expect(demand(9999) == [.open(2)])
        machine.ended(2, error: TransportError(.tls, "wrong host"), jitter: 1, now: 9999)
        #expect(demand(10_000) == [.failQueued(TransportError(.tls, "wrong host"))])
        // The clock starts anew for what comes later.
        #expect(demand(10_001) == [])
    }

    @Test func `time with a usable connection does not count as being unreachable`() {
        _ = demand(0)
        machine.ready(1, now: 9000)
        machine.useful(1, now: 9000)
        machine.ended(1, error: Self.lost, jitter: 0, now: 20_000)
        #expect(demand(20_000) == [.open(2)])
    }

    @Test func `a retired connection takes no work and another one is opened for it`() {
        _ = demand(0)
        machine.ready(1, now: 1)
        machine.useful(1, now: 2)
        machine.retire(1, now: 3)
        #expect(demand(3) == [.open(2)])
        #expect(machine.connectionCount == 2)
    }

    @Test func `a connection sent away before it carried anything is followed after a pause, counted once`() {
        _ = demand(0)
        machine.ready(1, now: 1)
        machine.retire(1, jitter: 1, now: 2)
        #expect(demand(3) == [])
        machine.ended(1, error: Self.lost, jitter: 1, now: 4)
        #expect(demand(501) == [])
        #expect(demand(502) == [.open(2)])
        machine.ended(2, error: Self.lost, jitter: 1, now: 600)
        #expect(demand(1599) == [])
        #expect(demand(1600) == [.open(3)])
    }

    @Test func `a connection left for a new token is followed at once`() {
        _ = demand(0)
        machine.ready(1, now: 1)
        machine.retire(1, mayReopenAtOnce: true, jitter: 1, now: 2)
        #expect(demand(2) == [.open(2)])
    }

    @Test func `connections that stand but never answer do not make a service reachable`() {
        _ = demand(0)
        machine.ready(1, now: 1)
        machine.ended(1, error: Self.lost, jitter: 0, now: 2)
        #expect(demand(5000) == [.open(2)])
        machine.ready(2, now: 5001)
        machine.ended(2, error: Self.lost, jitter: 0, now: 9999)
        #expect(demand(10_000) == [.failQueued(Self.lost)])
    }

    @Test func `answers of any kind make a service reachable`() {
        _ = demand(0)
        machine.ready(1, now: 1)
        machine.answered()
        machine.ended(1, error: Self.lost, jitter: 0, now: 20_000)
        #expect(demand(20_250) == [.open(2)])
    }

    @Test func `full connections with an idle processor bring more connections`() {
        open(1)
        #expect(tick(now: 100, saturated: [1]) == [.open(2)])
    }

    @Test func `a busy processor brings no more connections`() {
        open(1)
        #expect(tick(now: 100, saturated: [1], idle: 0.1) == [])
    }

    @Test func `connections with room bring no more connections`() {
        open(1)
        #expect(tick(now: 100, saturated: []) == [])
    }

    @Test func `more connections that do not bring more end the growth for a while`() {
        open(1)
        var now: Int64 = 0
        // A server that answers a hundred each tick, however many connections it has.
        for _ in 0..<40 {
            now += 50
            for action in tick(now: now, saturated: Set(1...machine.connectionCount), answered: 100) {
                if case .open(let number) = action {
                    machine.ready(number, now: now)
                    machine.useful(number, now: now)
                }
            }
        }
        #expect(machine.connectionCount <= 4)
        let settled = machine.connectionCount
        #expect(settled == 2 || settled == 4)
        for _ in 0..<100 {
            now += 50
            #expect(
                tick(now: now, saturated: Set(1...settled), answered: 100) == [],
                "no growth on a plateau")
        }
    }

    @Test func `growth goes on while more connections bring more and stops at the limit`() {
        open(1)
        var now: Int64 = 0
        for _ in 0..<400 {
            now += 50
            let ready = machine.readyCount
            for action in tick(now: now, saturated: Set(1...4), answered: 100 * ready) {
                if case .open(let number) = action {
                    machine.ready(number, now: now)
                    machine.useful(number, now: now)
                }
            }
        }
        #expect(machine.connectionCount == 4)
    }

    @Test func `surplus connections that idle are retired and one stays`() {
        open(1)
        for action in tick(now: 100, saturated: [1]) {
            if case .open(let number) = action { machine.ready(number, now: 100) }
        }
        #expect(idleTick(5000) == [.retire(2)])
        #expect(idleTick(90_000) == [])
    }

    @Test func `closing retires every connection and fails what waits, once`() {
        open(1)
        let actions = close()
        #expect(actions.contains(.retire(1)))
        #expect(actions.contains { if case .failQueued = $0 { true } else { false } })
        #expect(close() == [])
        #expect(demand(9).count == 1)
    }

    // What `#expect` calls must not mutate what it captures, so calls go through the suite.
    private func demand(_ now: Int64) -> [PoolMachine.Action] { machine.demand(now: now) }
    private func close() -> [PoolMachine.Action] { machine.close() }
    private func idleTick(_ now: Int64) -> [PoolMachine.Action] {
        machine.tick(hasWork: false, measurement: .init(), now: now)
    }

    private func open(_ number: Int) {
        #expect(demand(0) == [.open(number)])
        machine.ready(number, now: 0)
        machine.useful(number, now: 0)
    }

    private func tick(
        now: Int64, saturated: Set<Int>, idle: Double = 0.9, answered: Int = 0
    ) -> [PoolMachine.Action] {
        machine.tick(
            hasWork: true,
            measurement: .init(
                saturated: saturated, idleFraction: idle, answeredCount: answered, milliseconds: 50),
            now: now)
    }
}
