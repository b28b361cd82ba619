import APNs
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct EndingTests {
    /// Never answers by itself.
    private final class Holding: ScriptedConnection {
        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {}
    }

    private static func holding(streamsMax: Int = 1000) async throws -> ScriptedServer {
        try await ScriptedServer(streamsMax: streamsMax) { Holding($0, $1) }
    }

    private static func acceptAll(_ server: ScriptedServer) {
        server.forEachConnection { connection, handler in
            for stream in handler.open { handler.accept(stream, on: connection) }
        }
    }

    /// Long enough that no test passes by waiting for it.
    private static func patient(_ configuration: inout APNsClient.Configuration) {
        configuration.connectionCountMax = 1
        configuration.unreachableAfter = .seconds(600)
        configuration.connection.handshakeTimeout = .seconds(600)
        configuration.connection.connectTimeout = .seconds(600)
    }

    // MARK: Cancelling

    @Test func `cancelling ends what is not on the wire and waits for what is`() async throws {
        let server = try await Self.holding(streamsMax: 5)
        let client = try server.client(configure: Self.patient)
        let sending = Task { await client.send(try Sample.notifications(100)) }
        try await server.log.received.wait(count: 5)
        sending.cancel()
        try await until { client.snapshot.queuedCount == 0 }
        Self.acceptAll(server)
        let outcomes = try await sending.value
        #expect(outcomes.count == 100)
        #expect(outcomes.prefix(5).allSatisfy { $0.isAccepted })
        #expect(outcomes.dropFirst(5).allSatisfy { $0.result == .failed(.cancelled) && $0.attemptCount == 0 })
        #expect(server.log.requests.count == 5)
    }

    @Test func `cancelling one task leaves the others' notifications alone`() async throws {
        let server = try await Self.holding(streamsMax: 1)
        let client = try server.client(configure: Self.patient)
        async let first = client.send(try Sample.notifications(0..<1))
        try await server.log.received.wait()
        let cancelled = Task { await client.send(try Sample.notifications(100..<150)) }
        try await until { client.snapshot.queuedCount >= 50 }
        async let last = client.send(try Sample.notifications(200..<210))
        try await until { client.snapshot.queuedCount >= 60 }
        cancelled.cancel()
        #expect(try await cancelled.value.allSatisfy { $0.result == .failed(.cancelled) })
        for count in 2...12 {
            Self.acceptAll(server)
            if count <= 11 { try await server.log.received.wait(count: count) }
        }
        #expect(try await first.allSatisfy { $0.isAccepted })
        let outcomes = try await last
        #expect(outcomes.count == 10 && outcomes.allSatisfy { $0.isAccepted })
        #expect(outcomes.map(\.attemptCount) == Array(repeating: 1, count: 10))
    }

    @Test func `a task cancelled before it sends gets its outcomes though nobody can be reached`()
        async throws
    {
        let client = try ScriptedTrust.client(
            of: ScriptedTrust.endpoint(port: 1), configure: Self.patient)
        let outcomes = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.send(try Sample.notifications(10))
        }.value
        #expect(outcomes.count == 10)
        #expect(outcomes.allSatisfy { $0.result == .failed(.cancelled) })
    }

    @Test func `cancelling while the connection is being made ends everything`() async throws {
        let server = try await MuteServer()
        let client = try ScriptedTrust.client(
            of: ScriptedTrust.endpoint(port: server.port), configure: Self.patient)
        let sending = Task { await client.send(try Sample.notifications(10)) }
        try await until { client.snapshot.queuedCount >= 10 }
        sending.cancel()
        #expect(try await sending.value.allSatisfy { $0.result == .failed(.cancelled) })
    }

    // MARK: Shutting down

    @Test func `shutting down fails what waits, awaits what is on the wire, and returns`() async throws {
        let server = try await Self.holding(streamsMax: 5)
        let client = try server.client(configure: Self.patient)
        async let sending = client.send(try Sample.notifications(100))
        try await server.log.received.wait(count: 5)
        async let closing: Void = client.shutdown()
        try await until { client.snapshot.queuedCount == 0 }
        #expect(client.snapshot.connectionCount == 1, "the connection is needed for its answers")
        Self.acceptAll(server)
        await closing
        let outcomes = try await sending
        #expect(outcomes.count == 100)
        #expect(outcomes.prefix(5).allSatisfy { $0.isAccepted })
        #expect(outcomes.dropFirst(5).allSatisfy { $0.notSentError?.code == .closed })
        #expect(client.snapshot.connectionCount == 0)
        try await server.log.ended.wait()
    }

    @Test func `after shutting down sending fails at once`() async throws {
        let server = try await ScriptedServer()
        let client = try server.client(configure: Self.patient)
        #expect(try await client.send(Sample.notification(Sample.token(0))).isAccepted)
        await client.shutdown()
        let outcomes = await client.send(try Sample.notifications(3))
        #expect(outcomes.count == 3)
        #expect(outcomes.allSatisfy { $0.notSentError?.code == .closed })
        #expect(server.log.requests.count == 1)
        await client.shutdown()
    }

    @Test(arguments: ["429", "503", "refused", "expired"])
    func `what would be sent again ends when the client shuts down meanwhile`(answer: String) async throws {
        let server = try await Self.holding()
        let time = ManualClock()
        let source = try ScriptedTrust.source(clock: time.clock)
        _ = try source.current()
        time.advance(minutes: 25)
        let client = try server.client {
            Self.patient(&$0)
            $0.credential = .token(source)
            $0.retryPolicy.serverErrorDelay = .seconds(1)
        }
        async let sending = client.send(try Sample.notifications(10))
        try await server.log.received.wait(count: 10)
        async let closing: Void = client.shutdown()
        try await until { client.snapshot.readyConnectionCount == 0 }
        server.forEachConnection { connection, handler in
            for stream in handler.open {
                switch answer {
                case "429": handler.refuse(stream, "429", .tooManyRequests, on: connection)
                case "503": handler.refuse(stream, "503", .serviceUnavailable, on: connection)
                case "expired": handler.refuse(stream, "403", .expiredProviderToken, on: connection)
                default: handler.reset(stream, .refusedStream, on: connection)
                }
            }
        }
        await closing
        let outcomes = try await sending
        #expect(outcomes.count == 10)
        if answer == "refused" {
            #expect(outcomes.allSatisfy { $0.notSentError != nil })
        } else {
            #expect(outcomes.allSatisfy { $0.reason != nil }, "the answer that came is the outcome")
        }
    }

    @Test func `what waits for another try ends as it was last refused when the client shuts down`()
        async throws
    {
        let server = try await Self.holding()
        let client = try server.client {
            Self.patient(&$0)
            $0.retryPolicy.tooManyRequestsDelay = .seconds(20)
        }
        async let sending = client.send(try Sample.notifications(1))
        try await server.log.received.wait()
        server.forEachConnection { connection, handler in
            for stream in handler.open { handler.refuse(stream, "429", .tooManyRequests, on: connection) }
        }
        try await until { client.snapshot.queuedCount > 0 }
        await client.shutdown()
        let outcomes = try await sending
        #expect(outcomes.count == 1 && !outcomes[0].isAccepted && outcomes[0].attemptCount == 1)
    }

    @Test func `shutting down does not wait for a connection that is still being made`() async throws {
        let server = try await MuteServer()
        let client = try ScriptedTrust.client(
            of: ScriptedTrust.endpoint(port: server.port), configure: Self.patient)
        async let sending = client.send(try Sample.notifications(10))
        try await until { !server.frameTypes.isEmpty }
        await client.shutdown()
        #expect(try await sending.allSatisfy { $0.notSentError?.code == .closed })
    }

    @Test func `a client that nobody holds any more closes its connections`() async throws {
        let server = try await ScriptedServer()
        do {
            let client = try server.client()
            #expect(try await client.send(Sample.notification(Sample.token(0))).isAccepted)
        }
        try await server.log.ended.wait()
    }
}
