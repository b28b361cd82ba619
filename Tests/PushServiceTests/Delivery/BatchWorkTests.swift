import APNs
import APNsClient
import Crypto
import PushStore
import Recurrence
import Testing

@testable import PushService

/// A batch in a sender's hands, without a network.
struct BatchWorkTests {
    private static let now = Instant(secondsSince1970: 1_796_000_000)
    private static let app = App(
        number: 1, id: "news", name: "News", topic: "com.example.news", settings: AppSettings(),
        createdAt: now)

    /// A batch of two installations whose notifications are made and have a client.
    private func work(change: (inout PushRequest) -> Void = { _ in }) throws -> BatchWork {
        var request = PushRequest(data: ["alert": "a"])
        change(&request)
        let push = Push(
            number: 1, app: 1, objectID: "AbCdEfGh01234567", recordID: "AbCdEfGh01234567", request: request,
            state: .running, error: nil, createdAt: Self.now, dueAt: Self.now, expiresAt: nil, endedAt: nil)
        let batch = ClaimedBatch(
            number: 1, generation: 1, push: push, installations: [1, 2], deviceTokens: [],
            outcomes: [.pending, .pending], badges: [], articles: [], attemptCount: 0, readyAt: Self.now,
            leaseUntil: Self.now.advanced(bySeconds: 60))
        var work = BatchWork(batch)
        var shelf = try ComposerShelf(push, app: Self.app)
        let rows = [1, 2].map { number in
            BatchWork.Row(
                position: number - 1,
                row: SendableInstallation(
                    number: Int64(number), objectID: "o\(number)",
                    deviceToken: String(repeating: "0\(number)", count: 32)))
        }
        work.makeNotifications(rows, &shelf, app: Self.app)
        let source = try ProviderTokenSource(
            keyID: "KEYKEYKEY1", teamID: "TEAMTEAM01", signingKey: SigningKey.generate())
        // No connection is made before something is sent.
        let client = try APNsClient(
            APNsClient.Configuration(endpoint: Endpoint(host: "localhost"), credential: .token(source)))
        try work.assignClients { _ throws(DeliveryError) in client }
        return work
    }

    private func refusal(_ reason: Reason, _ status: Int, at milliseconds: Int64? = nil) -> Outcome {
        Outcome(
            result: .rejected(status: status, reason: reason, timestampMilliseconds: milliseconds))
    }

    @Test func `a key that is not for the other environment leaves the first answer and stops no push`()
        throws
    {
        var work = try work()
        let again = work.take(
            [refusal(.badDeviceToken, 400)], of: [0], isShownOnce: true, digest: nil, now: Self.now)
        #expect(again.map(\.entries) == [[0]])
        let none = work.take(
            [refusal(.badEnvironmentKeyIDInToken, 403)], of: [0], isShownOnce: true, digest: nil,
            now: Self.now)
        #expect(none.isEmpty && work.stop == nil)
        #expect(work.outcomes == [DeviceOutcome(refusedFor: .badDeviceToken), .pending])
        let report = work.report(next: .giveBack)
        #expect(report.deadTokens.isEmpty && report.environments.isEmpty)
    }

    @Test func `a request for one environment is not tried in the other`() throws {
        var work = try work { $0.environment = .production }
        let again = work.take(
            [refusal(.badDeviceToken, 400)], of: [0], isShownOnce: true, digest: nil, now: Self.now)
        #expect(again.isEmpty && work.outcomes[0] == DeviceOutcome(refusedFor: .badDeviceToken))
    }

    @Test func `an unknown refusal keeps its text and 410 its time`() throws {
        var work = try work()
        _ = work.take(
            [refusal(Reason("NewInTwentyThirty"), 400), refusal(.unregistered, 410, at: 1_795_000_000_123)],
            of: [0, 1], isShownOnce: true, digest: nil, now: Self.now)
        let report = work.report(next: .finish)
        #expect(report.outcomes == [.refusedOtherwise, DeviceOutcome(refusedFor: .unregistered)])
        #expect(report.details.map(\.text) == ["NewInTwentyThirty"])
        #expect(
            report.deadTokens == [
                .init(
                    installation: 2, deviceToken: String(repeating: "02", count: 32), reason: "Unregistered",
                    at: Instant(millisecondsSince1970: 1_795_000_000_123))
            ])
        let next = work.report(next: .finish)
        #expect(next.deadTokens.isEmpty && next.details.isEmpty, "each thing is reported once")
    }

    @Test func `an unknown refusal of the credential stops the push`() throws {
        var work = try work()
        _ = work.take(
            [refusal(Reason("NewInTwentyThirty"), 403)], of: [0], isShownOnce: true, digest: nil,
            now: Self.now)
        #expect(work.stop?.contains("NewInTwentyThirty") == true && work.outcomes[0] == .pending)
    }

    @Test func `devices that wait alike are handed on together`() throws {
        var work = try work()
        _ = work.take(
            [refusal(.tooManyRequests, 429)], of: [1], isShownOnce: true, digest: nil, now: Self.now)
        _ = work.take(
            [refusal(.tooManyRequests, 429)], of: [0], isShownOnce: true, digest: nil, now: Self.now)
        let report = work.report(next: .finish)
        #expect(report.outcomes == [.moved, .moved])
        #expect(
            report.deferrals == [
                .init(notBefore: Self.now.advanced(bySeconds: 6), positions: [0, 1], attemptCount: 1)
            ])
    }

    @Test func `the set-up's fault leaves devices pending for when it is mended`() throws {
        var work = try work()
        _ = work.take(
            [refusal(.topicDisallowed, 400), refusal(.badDeviceToken, 400)], of: [0, 1], isShownOnce: true,
            digest: nil, now: Self.now)
        #expect(work.stop?.contains("TopicDisallowed") == true)
        #expect(work.outcomes == [.pending, .pending])
    }
}
