import APNs
import Crypto
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct LostConnectionTests {
    /// Keeps the requests for these devices and accepts the others.
    private final class Selective: ScriptedConnection {
        private let kept: Set<String>

        init(_ log: ServerLog, _ number: Int, keeping tokens: [Int]) {
            kept = Set(tokens.map { "/3/device/\(Sample.token($0).hexString)" })
            super.init(log, number)
        }

        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
            for stream in streams where !kept.contains(stream.fields.first(named: ":path") ?? "") {
                accept(stream, on: connection)
            }
        }
    }

    @Test func `a reset stream leaves its notification alone unknown`() async throws {
        let server = try await ScriptedServer { Selective($0, $1, keeping: [3]) }
        let client = try server.client()
        async let sending = client.send(try Sample.notifications(10))
        try await server.log.received.wait(count: 10)
        server.forEachConnection { connection, handler in
            for stream in handler.open { handler.reset(stream, .internalError, on: connection) }
        }
        let outcomes = try await sending
        #expect(outcomes[3].unknownError?.message.contains("INTERNAL_ERROR") == true)
        #expect(outcomes.indices.allSatisfy { $0 == 3 || outcomes[$0].isAccepted })
        #expect(server.log.requests.count == 10, "what may have been processed is not sent again")
    }

    @Test func `a notification never answered ends as unknown, its stream is reset, the connection goes on`()
        async throws
    {
        let server = try await ScriptedServer { Selective($0, $1, keeping: [5]) }
        let client = try server.client { $0.answerTimeout = .seconds(5) }
        let outcomes = await client.send(try Sample.notifications(10))
        #expect(outcomes[5].unknownError?.code == .timeout)
        #expect(outcomes.indices.allSatisfy { $0 == 5 || outcomes[$0].isAccepted })
        try await server.log.gaveUp.wait()
        #expect(server.log.abandoned == server.log.requests.filter { !$0.isAnswered }.map(\.stream))

        let more = await client.send(try Sample.notifications(10..<20))
        #expect(more.allSatisfy { $0.isAccepted })
        #expect(server.log.connectionCount == 1)
    }

    @Test func `what got no answer is sent again when the policy asks for it`() async throws {
        // The first connection holds the notification, and is the only one that does.
        let server = try await ScriptedServer { Selective($0, $1, keeping: $1 == 1 ? [0] : []) }
        let client = try server.client {
            $0.retryPolicy.retriesUnanswered = true
            $0.retryPolicy.tooManyRequestsDelay = .milliseconds(1)
        }
        async let sending = client.send(try Sample.notifications(1))
        try await server.log.received.wait()
        server.forEachConnection { connection, _ in connection.close(abruptly: true) }
        let outcomes = try await sending
        #expect(outcomes[0].isAccepted)
        #expect(outcomes[0].attemptCount == 2)
    }

    @Test func `a connection cut in the middle ends what was open as unknown and sends the rest elsewhere`()
        async throws
    {
        let server = try await ScriptedServer(streamsMax: 20) {
            Selective($0, $1, keeping: $1 == 1 ? Array(0..<100) : [])
        }
        let client = try server.client { $0.connectionCountMax = 1 }
        async let sending = client.send(try Sample.notifications(100))
        try await server.log.received.wait(count: 20)
        server.forEachConnection { connection, handler in
            if handler.number == 1 { connection.close(abruptly: true) }
        }
        let outcomes = try await sending
        #expect(outcomes.count == 100)
        #expect(outcomes.count { $0.unknownError != nil } == 20)
        #expect(outcomes.count { $0.isAccepted } == 80)
        #expect(server.log.connectionCount == 2)
    }

    @Test func `a network that swallows everything is found out by a ping and left for a new connection`()
        async throws
    {
        let server = try await ScriptedServer(streamsMax: 10) {
            Selective($0, $1, keeping: $1 == 1 ? Array(0..<40) : [])
        }
        let relay = try await TestRelay(.relay(to: server.port))
        let client = try server.client(port: relay.port) {
            $0.connectionCountMax = 1
            $0.connection.pingAfterBusySilence = .milliseconds(200)
            $0.connection.pingTimeout = .seconds(10)
        }
        async let sending = client.send(try Sample.notifications(40))
        try await server.log.received.wait(count: 10)
        await relay.freeze()
        let outcomes = try await sending
        #expect(outcomes.count { $0.unknownError != nil } == 10)
        #expect(outcomes.count { $0.isAccepted } == 30)
        #expect(relay.connectionCount == 2)
        #expect(server.log.answerCounts.values.allSatisfy { $0 == 1 })
    }

    @Test func `an idle connection whose network vanished is replaced before anything is lost on it`()
        async throws
    {
        let server = try await ScriptedServer()
        let relay = try await TestRelay(.relay(to: server.port))
        let client = try server.client(port: relay.port) {
            $0.connection.pingAfterSilence = .milliseconds(200)
            $0.connection.pingTimeout = .seconds(10)
        }
        #expect(try await client.send(Sample.notification(Sample.token(0))).isAccepted)
        await relay.freeze()
        try await until { client.snapshot.connectionCount == 0 }
        #expect(try await client.send(Sample.notification(Sample.token(1))).isAccepted)
        #expect(relay.connectionCount == 2)
    }

    @Test func `a server that closes at once is tried with pauses, then what waits fails with the reason`()
        async throws
    {
        // Nobody listens behind the relay, so it closes every connection as it comes.
        let relay = try await TestRelay(.relay(to: 1))
        let client = try ScriptedTrust.client(of: ScriptedTrust.endpoint(port: relay.port)) {
            $0.unreachableAfter = .seconds(10)
        }
        let outcomes = await client.send(try Sample.notifications(10))
        #expect(outcomes.count == 10)
        // The end may come before the client has seen that it is connected.
        let codes = Set(outcomes.map { $0.notSentError?.code })
        #expect(
            codes.isSubset(of: [.connectionLost, .connect]) && outcomes.allSatisfy { $0.attemptCount == 0 })
        // 0, then after 0.25 to 0.5 s, 0.5 to 1 s, 1 to 2 s, 2 to 4 s, 4 to 8 s: at most six fit into ten seconds.
        #expect((2...6).contains(relay.connectionCount))
    }

    @Test func `a certificate for another host ends in a failure that names the host`() async throws {
        let server = try await ScriptedServer(hostNames: ["api.example.com"])
        let client = try server.client { $0.unreachableAfter = .seconds(5) }
        let outcome = await client.send(try Sample.notification(Sample.token(0)))
        #expect(outcome.notSentError?.code == .tls)
        #expect(outcome.notSentError?.message.contains("localhost") == true)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `a certificate of an unknown authority ends in a failure`() async throws {
        let server = try await ScriptedServer()
        let endpoint = Endpoint(host: "localhost", port: server.port, trust: .system)
        let client = try ScriptedTrust.client(of: endpoint) { $0.unreachableAfter = .seconds(5) }
        let outcome = await client.send(try Sample.notification(Sample.token(0)))
        #expect(outcome.notSentError?.code == .tls)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `a port that nobody listens on ends in a failure that names it`() async throws {
        let client = try ScriptedTrust.client(of: ScriptedTrust.endpoint(host: "127.0.0.1", port: 1)) {
            $0.unreachableAfter = .seconds(5)
        }
        let outcome = await client.send(try Sample.notification(Sample.token(0)))
        #expect(outcome.notSentError?.code == .connect)
        #expect(outcome.notSentError?.message.contains("127.0.0.1:1") == true)
    }

    @Test func `a name that does not resolve ends in a failure that names it`() async throws {
        let client = try ScriptedTrust.client(
            of: ScriptedTrust.endpoint(host: "no-such-host.invalid", port: 443)
        ) { $0.unreachableAfter = .seconds(5) }
        let outcome = await client.send(try Sample.notification(Sample.token(0)))
        #expect(outcome.notSentError?.code == .resolution)
        #expect(outcome.notSentError?.message.contains("no-such-host.invalid") == true)
    }

    @Test func `a client recovers by itself when the server comes back`() async throws {
        let server = try await ScriptedServer()
        let client = try server.client()
        #expect(try await client.send(Sample.notification(Sample.token(0))).isAccepted)
        for round in 1...5 {
            server.forEachConnection { connection, _ in connection.close(abruptly: true) }
            try await server.log.ended.wait(count: round)
            // The client may learn of the end only by sending; then the outcome is unknown, never lost.
            let outcome = await client.send(try Sample.notification(Sample.token(round)))
            #expect(outcome.isAccepted || outcome.unknownError != nil)
        }
        #expect(try await client.send(Sample.notification(Sample.token(9))).isAccepted)
    }
}
