import APNs
import APNsGateway
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
    private static let soon = RetryPolicy(
        window: .seconds(600), attemptCountMax: 4, tooManyRequestsDelay: .milliseconds(20),
        serverErrorDelay: .milliseconds(20), delayMax: .milliseconds(50))

    @Test func `throttled notifications are tried again after delays until they are accepted`() async throws {
        try await GatewayWorld.run(configure: { $0.isOpen = true }) { world in
            try world.gateway.faults.add(FaultRule(.reason(.tooManyRequests, status: nil), count: 50))
            let client = try world.client { $0.retryPolicy = Self.soon }
            let outcomes = await client.send(try Sample.notifications(200))
            #expect(outcomes.allSatisfy { $0.isAccepted })
            #expect(outcomes.reduce(0) { $0 + Int($1.attemptCount) } == 250)
            #expect(world.gateway.journal.counters.accepted == 200)
        }
    }

    /// Refuses everything.
    private final class Refusing: ScriptedConnection {
        private let status: String
        private let reason: Reason

        init(_ log: ServerLog, _ number: Int, _ status: String, _ reason: Reason) {
            self.status = status
            self.reason = reason
            super.init(log, number)
        }

        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
            for stream in streams { refuse(stream, status, reason, on: connection) }
        }
    }

    private static func throttling() async throws -> ScriptedServer {
        try await ScriptedServer { Refusing($0, $1, "429", .tooManyRequests) }
    }

    @Test func `attempts are bounded and the last refusal is the outcome`() async throws {
        let server = try await Self.throttling()
        let outcomes = try await server.client { $0.retryPolicy = Self.soon }
            .send(try Sample.notifications(3))
        #expect(outcomes.allSatisfy { $0.reason == .tooManyRequests && $0.attemptCount == 4 })
        #expect(server.log.requests.count == 12)
    }

    @Test func `delays grow`() async throws {
        let server = try await Self.throttling()
        let client = try server.client {
            $0.retryPolicy = Self.soon
            $0.retryPolicy.tooManyRequestsDelay = .milliseconds(100)
            $0.retryPolicy.delayMax = .seconds(5)
        }
        _ = await client.send(try Sample.notification(Sample.token(0)))
        let times = server.log.requests.map(\.nanoseconds)
        let pauses = zip(times, times.dropFirst()).map { Double($1 - $0) / 1_000_000 }
        #expect(pauses.count == 3)
        // Never early; late by what a busy machine takes.
        #expect(zip(pauses, [100.0, 200, 400]).allSatisfy { $0 >= $1 - 1 })
    }

    @Test func `the delay is kept when another task is cancelled meanwhile`() async throws {
        let server = try await Self.throttling()
        let client = try server.client {
            $0.retryPolicy = Self.soon
            $0.retryPolicy.attemptCountMax = 2
            $0.retryPolicy.tooManyRequestsDelay = .seconds(2)
            $0.retryPolicy.delayMax = .seconds(5)
        }
        async let sending = client.send(try Sample.notification(Sample.token(0)))
        try await server.log.received.wait()
        // On a busy machine the delay may be over before anyone looks.
        try await until { client.snapshot.queuedCount > 0 || server.log.requests.count > 1 }
        let other = Task { await client.send(try Sample.notification(Sample.token(1))) }
        other.cancel()
        _ = try await other.value
        #expect(try await sending.attemptCount == 2)
        let path = "/3/device/\(Sample.token(0).hexString)"
        let times = server.log.requests.filter { $0.path == path }.map(\.nanoseconds)
        #expect(times.count == 2 && times[1] - times[0] >= 1_999_000_000)
    }

    @Test func `nothing is tried again after its expiration, nor what must be shown now or never`()
        async throws
    {
        let server = try await Self.throttling()
        let client = try server.client {
            $0.retryPolicy = Self.soon
            $0.retryPolicy.tooManyRequestsDelay = .seconds(5)
            $0.retryPolicy.delayMax = .seconds(5)
        }
        let now = WallClock.system.secondsSince1970
        let outcomes = await client.send([
            try Sample.notification(Sample.token(0), expiration: .never),
            try Sample.notification(Sample.token(1), expiration: .at(secondsSince1970: now + 2)),
        ])
        #expect(outcomes.allSatisfy { $0.reason == .tooManyRequests && $0.attemptCount == 1 })
    }

    @Test func `a window of zero hands every refusal back at once`() async throws {
        let server = try await Self.throttling()
        let client = try server.client {
            $0.retryPolicy = Self.soon
            $0.retryPolicy.window = .zero
        }
        let outcome = await client.send(try Sample.notification(Sample.token(0)))
        #expect(outcome.reason == .tooManyRequests && outcome.attemptCount == 1)
    }

    @Test(arguments: [("500", Reason.internalServerError), ("503", .serviceUnavailable)])
    func `server errors are handed back by default and tried again when the window is long enough`(
        status: String, reason: Reason
    ) async throws {
        let server = try await ScriptedServer { Refusing($0, $1, status, reason) }
        let usual = try await server.client().send(try Sample.notification(Sample.token(0)))
        #expect(usual.reason == reason && usual.attemptCount == 1 && usual.disposition == .later)
        let patient = try await server.client { $0.retryPolicy = Self.soon }
            .send(try Sample.notification(Sample.token(1)))
        #expect(patient.reason == reason && patient.attemptCount == 4)
    }

    @Test(arguments: ["", "no JSON", #"{"reason":5}"#])
    func `an answer that is none of APNs' keeps its status`(body: String) async throws {
        final class Odd: ScriptedConnection {
            private let text: [UInt8]

            init(_ log: ServerLog, _ number: Int, _ text: [UInt8]) {
                self.text = text
                super.init(log, number)
            }

            override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
                for stream in streams { answer(stream, status: "418", body: text, on: connection) }
            }
        }
        let server = try await ScriptedServer { Odd($0, $1, Array(body.utf8)) }
        let outcome = try await server.client().send(try Sample.notification(Sample.token(0)))
        guard case .rejected(418, let reason, nil) = outcome.result else {
            Issue.record("found \(outcome.result)")
            return
        }
        #expect(reason.text == "HTTP 418")
    }
}
