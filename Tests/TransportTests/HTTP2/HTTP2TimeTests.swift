import Testing

@testable import Transport

/// Keeps a value that changes when it is asked, which the testing macros do not allow of a variable.
private final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension Box<KeepAlive> {
    func heard(now: UInt64) { value.heard(now: now) }
    func tick(now: UInt64, isOwedAnswers: Bool) -> KeepAlive.Action {
        value.tick(now: now, isOwedAnswers: isOwedAnswers)
    }
}

extension Box<RateLimiter> {
    func take(nowMilliseconds: UInt64) -> Bool { value.take(nowMilliseconds: nowMilliseconds) }
    func giveBack(_ count: Int) { value.giveBack(count) }
}

struct KeepAliveTests {
    private func make() -> Box<KeepAlive> {
        Box(KeepAlive(silence: .seconds(60), busySilence: .seconds(10), timeout: .seconds(5), now: 1000))
    }

    @Test(arguments: [(true, 10_999 as UInt64, 11_000 as UInt64), (false, 60_999, 61_000)])
    func `a silent peer is pinged at the limit and not before`(isBusy: Bool, before: UInt64, due: UInt64) {
        let timer = make()
        #expect(timer.tick(now: before, isOwedAnswers: isBusy) == .none)
        #expect(timer.tick(now: due, isOwedAnswers: isBusy) == .ping)
        #expect(timer.tick(now: due + 4999, isOwedAnswers: isBusy) == .none)
        #expect(timer.tick(now: due + 5000, isOwedAnswers: isBusy) == .giveUp)
    }

    @Test func `any byte starts the time anew, also after a ping`() {
        let timer = make()
        timer.heard(now: 10_000)
        #expect(timer.tick(now: 19_999, isOwedAnswers: true) == .none)
        #expect(timer.tick(now: 20_000, isOwedAnswers: true) == .ping)
        timer.heard(now: 20_001)
        #expect(timer.tick(now: 25_000, isOwedAnswers: true) == .none)
        #expect(timer.tick(now: 30_001, isOwedAnswers: true) == .ping)
    }

    @Test func `a ping that waits is not sent again when the peer begins to owe answers`() {
        let timer = make()
        #expect(timer.tick(now: 61_000, isOwedAnswers: false) == .ping)
        #expect(timer.tick(now: 61_001, isOwedAnswers: true) == .none)
    }

    @Test func `a process that was stopped reads what came meanwhile before it gives the peer up`() {
        let timer = make()
        #expect(timer.tick(now: 11_000, isOwedAnswers: true) == .ping)
        // Stopped for a minute: the answer may be waiting.
        #expect(timer.tick(now: 71_000, isOwedAnswers: true) == .none)
        #expect(timer.tick(now: 75_999, isOwedAnswers: true) == .none)
        #expect(timer.tick(now: 76_000, isOwedAnswers: true) == .giveUp)
    }

    @Test func `endless patience neither overflows nor ends`() {
        let timer = Box(
            KeepAlive(
                silence: .seconds(Int64.max), busySilence: .seconds(Int64.max), timeout: .seconds(Int64.max),
                now: 5))
        #expect(timer.tick(now: UInt64(UInt32.max), isOwedAnswers: true) == .none)
    }
}

struct RateLimiterTests {
    @Test(arguments: [0, 1, 5])
    func `a burst passes and one more does not`(burst: Int) {
        let limiter = Box(RateLimiter(burst: burst, perSecond: 0, nowMilliseconds: 0))
        for _ in 0..<burst { #expect(limiter.take(nowMilliseconds: 0)) }
        #expect(!limiter.take(nowMilliseconds: 0))
        #expect(!limiter.take(nowMilliseconds: 1_000_000))
    }

    @Test func `tokens come back at the rate, to the millisecond, and never above the burst`() {
        let limiter = Box(RateLimiter(burst: 2, perSecond: 10, nowMilliseconds: 0))
        #expect(limiter.take(nowMilliseconds: 0))
        #expect(limiter.take(nowMilliseconds: 0))
        #expect(!limiter.take(nowMilliseconds: 99))
        #expect(limiter.take(nowMilliseconds: 100))
        #expect(!limiter.take(nowMilliseconds: 101))
        #expect(limiter.take(nowMilliseconds: 10_000))
        #expect(limiter.take(nowMilliseconds: 10_000))
        #expect(!limiter.take(nowMilliseconds: 10_000))
    }

    @Test func `a clock that goes back gives nothing and takes nothing`() {
        let limiter = Box(RateLimiter(burst: 1, perSecond: 1000, nowMilliseconds: 5000))
        #expect(limiter.take(nowMilliseconds: 5000))
        #expect(!limiter.take(nowMilliseconds: 10))
        #expect(limiter.take(nowMilliseconds: 5001))
    }

    @Test func `what is given back counts up to the burst`() {
        let limiter = Box(RateLimiter(burst: 3, perSecond: 0, nowMilliseconds: 0))
        limiter.giveBack(100)
        limiter.giveBack(-5)
        for _ in 0..<3 { #expect(limiter.take(nowMilliseconds: 0)) }
        #expect(!limiter.take(nowMilliseconds: 0))
        limiter.giveBack(1)
        #expect(limiter.take(nowMilliseconds: 0))
        #expect(!limiter.take(nowMilliseconds: 0))
    }

    @Test(arguments: [Int.max, Int.min, -1])
    func `extreme limits do not overflow`(number: Int) {
        let limiter = Box(RateLimiter(burst: number, perSecond: number, nowMilliseconds: 0))
        #expect(limiter.take(nowMilliseconds: UInt64.max) == (number > 0))
        limiter.giveBack(number)
    }
}
