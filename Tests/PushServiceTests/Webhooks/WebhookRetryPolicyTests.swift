import PushStore
import Recurrence
import Testing

@testable import PushService

@Suite struct WebhookRetryPolicyTests {
    private let policy = WebhookRetryPolicy()
    private let start = Instant(secondsSince1970: 1_800_000_000)

    private func decide(
        _ result: WebhookRetryPolicy.Result, attempt: Int = 1, failures: Int = 0, ageSeconds: Int64 = 0,
        random: Double = 0
    ) -> WebhookRetryPolicy.Decision {
        policy.decide(
            result, attemptCount: attempt, failureCount: failures, createdAt: start,
            now: start.advanced(bySeconds: ageSeconds), random: random)
    }

    @Test(arguments: [200, 201, 204, 299])
    func `2xx is success`(status: Int) {
        let decision = decide(.answered(status: status, retryAfterSeconds: nil))
        #expect(decision == WebhookRetryPolicy.Decision(next: .delivered, failure: nil, pausedUntil: nil))
    }

    @Test(arguments: [(1, 10), (2, 20), (3, 40), (8, 1_280), (11, 10_240), (12, 10_800), (1_000_000, 10_800)])
    func `waits double up to three hours`(attempt: Int, seconds: Int64) {
        #expect(
            decide(.unanswered("x"), attempt: attempt).next == .retry(at: start.advanced(bySeconds: seconds)))
    }

    @Test func `chance cuts a wait by up to a half, never more`() {
        #expect(decide(.unanswered("x"), random: 1).next == .retry(at: start.advanced(bySeconds: 5)))
        #expect(
            decide(.unanswered("x"), random: 0.5).next == .retry(at: start.advanced(byMilliseconds: 7_500)))
        #expect(decide(.unanswered("x"), random: 9).next == .retry(at: start.advanced(bySeconds: 5)))
    }

    @Test(arguments: [
        (400, false), (404, false), (410, false), (301, false), (408, true), (429, true), (500, true),
        (599, true),
    ])
    func `only what tells of the whole receiver pauses it`(status: Int, isPaused: Bool) {
        let decision = decide(.answered(status: status, retryAfterSeconds: nil))
        #expect((decision.pausedUntil != nil) == isPaused)
        #expect(decision.failure == "HTTP \(status)")
        #expect(decision.next != .dropped)
    }

    @Test func `an event is given up when its next attempt would be more than three days after it`() {
        let days: Int64 = 3 * 86_400
        #expect(
            decide(.unanswered("x"), ageSeconds: days - 11).next
                == .retry(at: start.advanced(bySeconds: days - 1)))
        #expect(decide(.unanswered("x"), ageSeconds: days - 10).next == .dropped)
        #expect(
            decide(.answered(status: 200, retryAfterSeconds: nil), ageSeconds: days * 2).next == .delivered)
    }

    @Test(arguments: [(Int64(60), Int64(60)), (-5, 10), (.max, 10_800), (1, 10)])
    func `what a receiver asks for is kept within bounds`(asked: Int64, seconds: Int64) {
        let decision = decide(.answered(status: 503, retryAfterSeconds: asked))
        #expect(decision.next == .retry(at: start.advanced(bySeconds: seconds)))
        #expect(decision.pausedUntil == start.advanced(bySeconds: seconds))
    }

    @Test func `a pause is never longer than five minutes`() {
        #expect(decide(.unanswered("x"), failures: 500).pausedUntil == start.advanced(bySeconds: 300))
    }
}
