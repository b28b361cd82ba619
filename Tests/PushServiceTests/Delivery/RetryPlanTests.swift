import APNs
import APNsClient
import PushStore
import Recurrence
import Testing
import Transport

@testable import PushService

struct RetryPlanTests {
    private static let due = Instant(secondsSince1970: 1_796_000_000)

    private func decide(
        _ result: Outcome.Result, attempts: Int = 0, isShownOnce: Bool = true, expiresAfter: Int64? = nil,
        now: Int64 = 0
    ) -> RetryPlan.Decision {
        RetryPlan.decide(
            result, attemptCount: attempts, isShownOnce: isShownOnce, dueAt: Self.due,
            expiresAt: expiresAfter.map { Self.due.advanced(bySeconds: $0) },
            now: Self.due.advanced(bySeconds: now))
    }

    private func again(_ seconds: Int64) -> RetryPlan.Decision {
        .again(notBefore: Self.due.advanced(bySeconds: seconds))
    }

    private func rejected(_ reason: Reason, _ status: Int) -> Outcome.Result {
        .rejected(status: status, reason: reason, timestampMilliseconds: nil)
    }

    @Test func `what is decided stays decided`() {
        #expect(decide(.accepted) == .finish(.accepted))
        for (reason, status) in [
            (Reason.badDeviceToken, 400), (.unregistered, 410), (.topicDisallowed, 400),
            (.payloadTooLarge, 413), (.deviceTokenNotForTopic, 400),
        ] {
            #expect(
                decide(rejected(reason, status)) == .finish(DeviceOutcome(refusedFor: reason)))
        }
    }

    @Test(arguments: [(0, 5), (1, 10), (2, 20), (5, 160), (8, 1_280), (9, 1_800), (10, 1_800)])
    func `each wait for a busy APNs is twice the one before, up to half an hour`(
        attempts: Int, seconds: Int64
    ) {
        #expect(decide(rejected(.tooManyRequests, 429), attempts: attempts) == again(seconds))
        #expect(decide(.failed(.notSent(TransportError(.connect, ""))), attempts: attempts) == again(seconds))
    }

    @Test func `after errors of the server Apple's quarter of an hour is waited`() {
        #expect(decide(rejected(.internalServerError, 500)) == again(900))
        #expect(decide(rejected(.serviceUnavailable, 503), attempts: 5) == again(900))
        #expect(decide(rejected(Reason("NewInTwentyThirty"), 503)) == again(900))
        #expect(decide(rejected(.shutdown, 503)) == again(5))
        #expect(decide(rejected(Reason("NewInTwentyThirty"), 400)) == .finish(.refusedOtherwise))
    }

    @Test func `an end comes by count, by lifetime and after a day`() {
        let busy = rejected(.tooManyRequests, 429)
        let refused = RetryPlan.Decision.finish(DeviceOutcome(refusedFor: .tooManyRequests))
        #expect(decide(busy, attempts: 11) == refused)
        #expect(decide(busy, expiresAfter: 5) == refused)
        #expect(decide(busy, expiresAfter: 6) == again(5))
        #expect(decide(busy, attempts: 3, now: 86_400) == refused)
        #expect(decide(busy, attempts: 2, now: 86_400) == again(86_420))
        #expect(decide(busy, attempts: 3, expiresAfter: 200_000, now: 86_400) == again(86_440))
    }

    @Test func `without an answer it is sent again only where a second one is not seen`() {
        let unknown = Outcome.Result.failed(.unknown(TransportError(.connect, "")))
        #expect(decide(unknown) == again(5))
        #expect(decide(unknown, attempts: 2) == .finish(.unanswered))
        #expect(decide(unknown, isShownOnce: false) == .finish(.unanswered))
        #expect(
            decide(.failed(.notSent(TransportError(.connect, ""))), attempts: 11) == .finish(.unreachable))
        #expect(decide(.failed(.cancelled)) == again(0))
    }
}
