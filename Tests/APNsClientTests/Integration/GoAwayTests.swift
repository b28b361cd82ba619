import APNs
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct GoAwayTests {
    /// Keeps every request of the first connection; later connections accept.
    private final class Holding: ScriptedConnection {
        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
            if number > 1 { super.handle(streams, on: connection) }
        }
    }

    private static let shutdown = ErrorBody(reason: .shutdown).encoded

    @Test(arguments: [0, 1, 250, 499, 500])
    func `in the middle of 500 open streams none is lost and none doubled`(processed: Int) async throws {
        let server = try await ScriptedServer { Holding($0, $1) }
        let client = try server.client()
        async let sending = client.send(try Sample.notifications(500))
        try await server.log.received.wait(count: 500)
        server.forEachConnection { connection, handler in
            let last = processed == 0 ? 0 : handler.open[processed - 1].id
            connection.goAway(debugData: Self.shutdown, lastStreamID: last)
        }
        // The others come again on a second connection while those below are still open.
        try await server.log.received.wait(count: 1000 - processed)
        server.forEachConnection { connection, handler in
            guard handler.number == 1 else { return }
            for stream in handler.open.prefix(processed).reversed() { handler.accept(stream, on: connection) }
        }
        let outcomes = try await sending
        #expect(outcomes.count == 500)
        #expect(outcomes.allSatisfy { $0.isAccepted && $0.attemptCount == 1 })
        #expect(server.log.answerCounts.count == 500)
        #expect(server.log.answerCounts.values.allSatisfy { $0 == 1 })
        #expect(server.log.requests.count == 1000 - processed)
        #expect(server.log.connectionCount == (processed == 500 ? 1 : 2))
        #expect(client.snapshot.lastGoAwayReason == .shutdown)
    }

    @Test func `after a first GOAWAY that promises everything a second one draws the line`() async throws {
        let server = try await ScriptedServer(streamsMax: 100) { Holding($0, $1) }
        let client = try server.client { $0.connectionCountMax = 1 }
        async let sending = client.send(try Sample.notifications(200))
        try await server.log.received.wait(count: 100)
        server.forEachConnection { connection, _ in connection.goAway(lastStreamID: .max) }
        // What was not sent yet goes to another connection.
        try await server.log.received.wait(count: 200)
        server.forEachConnection { connection, handler in
            guard handler.number == 1 else { return }
            connection.goAway(debugData: Self.shutdown, lastStreamID: handler.open[49].id)
            for stream in handler.open.prefix(50) { handler.accept(stream, on: connection) }
        }
        let outcomes = try await sending
        #expect(outcomes.allSatisfy { $0.isAccepted && $0.attemptCount == 1 })
        #expect(server.log.answerCounts.count == 200)
        #expect(server.log.answerCounts.values.allSatisfy { $0 == 1 })
        #expect(
            server.log.requests.count(where: { $0.connection == 1 }) == 100, "no new streams after GOAWAY")
        #expect(server.log.requests.count == 250)
        #expect(client.snapshot.lastGoAwayReason == .shutdown)
    }

    @Test(arguments: [[], Array("no JSON".utf8), Array(#"{"timestamp":1}"#.utf8)])
    func `debug data that names no reason ends the connection just as well`(debugData: [UInt8]) async throws {
        let server = try await ScriptedServer { Holding($0, $1) }
        let client = try server.client()
        async let sending = client.send(try Sample.notifications(10))
        try await server.log.received.wait(count: 10)
        server.forEachConnection { connection, _ in
            connection.goAway(debugData: debugData, lastStreamID: 0)
        }
        let outcomes = try await sending
        #expect(outcomes.allSatisfy { $0.isAccepted })
        #expect(client.snapshot.lastGoAwayReason == nil)
    }

    @Test func `an idle connection that is told to go is replaced for the next notification`() async throws {
        let server = try await ScriptedServer()
        let client = try server.client()
        #expect(try await client.send(Sample.notification(Sample.token(0))).isAccepted)
        server.forEachConnection { connection, _ in
            connection.goAway(debugData: ErrorBody(reason: .idleTimeout).encoded)
            connection.closeAfterFlush()
        }
        try await server.log.ended.wait()
        #expect(try await client.send(Sample.notification(Sample.token(1))).isAccepted)
        #expect(server.log.connectionCount == 2)
        #expect(client.snapshot.lastGoAwayReason == .idleTimeout)
    }

    /// Tells every connection to go before it has processed anything.
    private final class Unwelcoming: ScriptedConnection {
        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
            connection.goAway(debugData: ErrorBody(reason: .badCertificate).encoded, lastStreamID: 0)
            connection.closeAfterFlush()
        }
    }

    @Test func `a server that sends everybody away is not besieged and not waited for endlessly`()
        async throws
    {
        let server = try await ScriptedServer { Unwelcoming($0, $1) }
        let client = try server.client { $0.unreachableAfter = .seconds(6) }
        let outcomes = await client.send(try Sample.notifications(10))
        #expect(outcomes.count == 10)
        #expect(outcomes.allSatisfy { $0.notSentError?.message.contains("BadCertificate") == true })
        #expect(client.snapshot.lastGoAwayReason == .badCertificate)
        // 0, then after 0.25 to 0.5 s, 0.5 to 1 s, 1 to 2 s, 2 to 4 s: at most five fit into six seconds.
        #expect(server.log.connectionCount <= 5)
        #expect(server.log.connectionCount >= 2)
    }
}
