import PushStore
import Recurrence
import Synchronization
import Testing

@testable import PushService

struct RateLimiterTests {
    /// The allowance that nodes share, on a clock that the test sets.
    private final class Allowance: RequestRateStore {
        private let state: Mutex<(now: Instant, bucket: TokenBucket, askedCount: Int)>

        init(perSecond: Int) {
            state = Mutex((Instant.start, TokenBucket(perSecond: perSecond, now: .start), 0))
        }

        var now: Instant { state.withLock { $0.now } }
        var askedCount: Int { state.withLock { $0.askedCount } }
        func advance(milliseconds: Int64) {
            state.withLock { $0.now = $0.now.advanced(byMilliseconds: milliseconds) }
        }

        func takeRequests(
            _ count: Int, perSecond: Int, app: Int64
        ) async throws(StoreError) -> RequestGrant? {
            state.withLock { state in
                state.askedCount += 1
                var granted = 0
                while granted < count, state.bucket.take(1, perSecond: perSecond, now: state.now) == nil {
                    granted += 1
                }
                var copy = state.bucket
                return RequestGrant(
                    count: granted,
                    nextMilliseconds: copy.take(1, perSecond: perSecond, now: state.now) ?? 0)
            }
        }
    }

    private static func app(perSecond: Int) -> App {
        var settings = AppSettings()
        settings.requestsPerSecondMax = perSecond
        return App(
            number: 1, id: "news", name: "News", topic: "com.example.news", settings: settings,
            createdAt: .start)
    }

    private func passes(_ limiter: RateLimiter, _ allowance: Allowance, _ count: Int, app: App) async -> Bool
    {
        do {
            try await limiter.admit(count, app: app, now: allowance.now)
            return true
        } catch {
            #expect(error.status == 429 && (error.retryAfterSeconds ?? 0) >= 1)
            return false
        }
    }

    @Test(arguments: [1, 5, 60, 1000])
    func `three nodes together let through what one may`(perSecond: Int) async {
        let allowance = Allowance(perSecond: perSecond)
        let nodes = (0..<3).map { _ in RateLimiter(store: allowance) }
        let app = Self.app(perSecond: perSecond)
        var passed = 0
        // Ten seconds of more than is allowed, in steps of 10 ms.
        for step in 0..<1_000 {
            for index in 0..<max(1, perSecond / 25)
            where await passes(nodes[(step + index) % 3], allowance, 1, app: app) {
                passed += 1
            }
            allowance.advance(milliseconds: 10)
        }
        #expect(passed <= 11 * perSecond)
        // What a node has taken and not used is lost; no more than that.
        #expect(passed >= 8 * perSecond)
        // Ahead of need, and not for each request.
        #expect(allowance.askedCount < 1_000 || perSecond < 60)
    }

    @Test func `what a node has not used within a second is given up`() async {
        let allowance = Allowance(perSecond: 100)
        let limiter = RateLimiter(store: allowance)
        let app = Self.app(perSecond: 100)
        #expect(await passes(limiter, allowance, 1, app: app))
        allowance.advance(milliseconds: 999)
        #expect(await passes(limiter, allowance, 1, app: app))
        #expect(allowance.askedCount == 1)
        allowance.advance(milliseconds: 1)
        #expect(await passes(limiter, allowance, 1, app: app))
        #expect(allowance.askedCount == 2)
    }

    @Test func `a batch of more than a second's worth passes when a second's worth is there`() async {
        let allowance = Allowance(perSecond: 10)
        let limiter = RateLimiter(store: allowance)
        let app = Self.app(perSecond: 10)
        #expect(await passes(limiter, allowance, 50, app: app))
        #expect(await !passes(limiter, allowance, 50, app: app))
        allowance.advance(milliseconds: 1_000)
        #expect(await passes(limiter, allowance, 50, app: app))
    }

    @Test func `an app without a limit is not counted`() async {
        let allowance = Allowance(perSecond: 1)
        let limiter = RateLimiter(store: allowance)
        for _ in 0..<100 { #expect(await passes(limiter, allowance, 10, app: Self.app(perSecond: 0))) }
        #expect(allowance.askedCount == 0)
    }

    @Test func `while nothing is to be had nobody asks for it`() async {
        let allowance = Allowance(perSecond: 2)
        let limiter = RateLimiter(store: allowance)
        let app = Self.app(perSecond: 2)
        for _ in 0..<2 { #expect(await passes(limiter, allowance, 1, app: app)) }
        #expect(await !passes(limiter, allowance, 1, app: app))
        let asked = allowance.askedCount
        for _ in 0..<100 { #expect(await !passes(limiter, allowance, 1, app: app)) }
        #expect(allowance.askedCount == asked)
        allowance.advance(milliseconds: 500)
        #expect(await passes(limiter, allowance, 1, app: app))
        // A clock that is set back locks nobody out.
        #expect(await !passes(limiter, allowance, 1, app: app))
        allowance.advance(milliseconds: -3_600_000)
        #expect(await !passes(limiter, allowance, 1, app: app))
        #expect(allowance.askedCount > asked + 2)
    }
}

extension Instant {
    fileprivate static let start = Instant(secondsSince1970: 1_800_000_000)
}
