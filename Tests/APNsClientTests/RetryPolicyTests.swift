import APNs
import Testing
import Transport

@testable import APNsClient

struct RetryPolicyTests {
    private let policy = RetryPolicy(window: .seconds(3600 * 4), serverErrorDelay: .seconds(900))
    private let now: Int64 = 1_800_000_000_000

    @Test(arguments: [
        "BadDeviceToken", "DeviceTokenNotForTopic", "Forbidden", "ExpiredToken", "Unregistered",
        "PayloadTooLarge",
    ])
    func `Apple's six reasons are never tried again`(reason: String) {
        let known = Reason(reason)
        #expect(
            decide(.rejected(status: known.status ?? 400, reason: known, timestampMilliseconds: nil))
                == .finish)
    }

    @Test(arguments: ["BadTopic", "InvalidProviderToken", "BadPriority", "TopicDisallowed", "MissingTopic"])
    func `faults of the operator are not tried again`(reason: String) {
        let known = Reason(reason)
        #expect(
            decide(.rejected(status: known.status ?? 400, reason: known, timestampMilliseconds: nil))
                == .finish)
    }

    @Test(arguments: [(1, 1000), (2, 2000), (3, 4000), (4, 8000)])
    func `TooManyRequests is tried again with doubling delays`(attempt: UInt8, milliseconds: Int64) {
        #expect(
            decide(rejected(429, .tooManyRequests), attempt: attempt)
                == .retry(afterMilliseconds: milliseconds))
    }

    @Test func `jitter adds up to half of the delay`() {
        #expect(
            decide(rejected(429, .tooManyRequests), jitter: 1) == .retry(afterMilliseconds: 1500))
    }

    @Test(arguments: [500, 503])
    func `server errors wait for a quarter of an hour`(status: Int) {
        let reason: Reason = status == 500 ? .internalServerError : .serviceUnavailable
        #expect(decide(rejected(status, reason)) == .retry(afterMilliseconds: 900_000))
    }

    @Test func `server errors are handed back at once by the default window of a minute`() {
        let outcome = Outcome(result: rejected(503, .serviceUnavailable), attemptCount: 1)
        let decision = RetryPolicy().decide(
            outcome, firstAttemptAt: now, now: now, expiration: .unspecified, jitter: 0)
        #expect(decision == .finish)
    }

    @Test func `an unknown reason is judged by its status`() {
        #expect(decide(rejected(429, Reason("SomethingNew"))) == .retry(afterMilliseconds: 1000))
        #expect(decide(rejected(400, Reason("SomethingNew"))) == .finish)
    }

    @Test func `an expired provider token is tried once more`() {
        #expect(decide(rejected(403, .expiredProviderToken)) == .retry(afterMilliseconds: 0))
        #expect(decide(rejected(403, .expiredProviderToken), attempt: 2) == .finish)
    }

    @Test func `no answer is tried again only when asked for`() {
        let lost = Outcome.Result.failed(.unknown(TransportError(.timeout, "late")))
        #expect(decide(lost) == .finish)
        var asking = policy
        asking.retriesUnanswered = true
        let outcome = Outcome(result: lost, attemptCount: 1)
        #expect(
            asking.decide(outcome, firstAttemptAt: now, now: now, expiration: .unspecified, jitter: 0)
                == .retry(afterMilliseconds: 1000))
    }

    @Test func `nothing is sent after its expiration`() {
        let soon = Expiration.at(secondsSince1970: now / 1000 + 1)
        let later = Expiration.at(secondsSince1970: now / 1000 + 2)
        #expect(decide(rejected(429, .tooManyRequests), expiration: soon) == .finish)
        #expect(
            decide(rejected(429, .tooManyRequests), expiration: later) == .retry(afterMilliseconds: 1000))
        #expect(decide(rejected(429, .tooManyRequests), expiration: .never) == .finish)
    }

    @Test func `attempts are bounded`() {
        #expect(decide(rejected(429, .tooManyRequests), attempt: 5) == .finish)
    }

    @Test func `delays are capped`() {
        var long = policy
        long.attemptCountMax = 50
        long.delayMax = .seconds(30)
        let outcome = Outcome(result: rejected(429, .tooManyRequests), attemptCount: 40)
        #expect(
            long.decide(outcome, firstAttemptAt: now, now: now, expiration: .unspecified, jitter: 0)
                == .retry(afterMilliseconds: 30_000))
    }

    private func rejected(_ status: Int, _ reason: Reason) -> Outcome.Result {
        .rejected(status: status, reason: reason, timestampMilliseconds: nil)
    }

    private func decide(
        _ result: Outcome.Result, attempt: UInt8 = 1, expiration: Expiration = .unspecified,
        jitter: Double = 0
    ) -> RetryPolicy.Decision {
        policy.decide(
            Outcome(result: result, attemptCount: attempt), firstAttemptAt: now, now: now,
            expiration: expiration, jitter: jitter)
    }
}
