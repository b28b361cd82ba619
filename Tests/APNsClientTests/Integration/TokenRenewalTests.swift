import APNs
import APNsGateway
import Crypto
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct TokenRenewalTests {
    @Test func `an expired token brings a new token, a new connection and a replay that is accepted`()
        async throws
    {
        let time = ManualClock()
        try await GatewayWorld.run(
            clock: time.clock,
            configure: {
                $0.hasVirtualClock = true
                $0.isOpen = true
            }
        ) { world in
            let client = try world.client { $0.connectionCountMax = 1 }
            #expect(try await client.send(Sample.notification(Sample.token(0))).isAccepted)
            // To APNs the token is an hour old; to the client, whose clock is slow, 25 minutes.
            try world.gateway.hub.clock.advance(byMilliseconds: 61 * 60_000)
            time.advance(minutes: 25)
            let outcomes = await client.send(try Sample.notifications(1..<501))
            #expect(outcomes.count == 500)
            #expect(outcomes.allSatisfy { $0.isAccepted })
            #expect(outcomes.allSatisfy { $0.attemptCount <= 2 })
            #expect(outcomes.contains { $0.attemptCount == 2 })
            let journal = world.journal
            #expect(Set(journal.filter { $0.status == 200 }.map(\.connection)).count == 2)
            #expect(journal.count { $0.status == 200 } == 501)
            #expect(journal.contains { $0.reason == .expiredProviderToken })
            #expect(!journal.contains { $0.reason == .tooManyProviderTokenUpdates })
        }
    }

    /// Answers with these reasons first, one each request, then accepts; on all connections together.
    private final class Refusing: ScriptedConnection {
        private let reason: Reason
        private let count: Int

        init(_ log: ServerLog, _ number: Int, _ reason: Reason, count: Int) {
            self.reason = reason
            self.count = count
            super.init(log, number)
        }

        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
            let earlier = log.requests.count - streams.count
            for (index, stream) in streams.enumerated() {
                if earlier + index < count {
                    refuse(stream, "403", reason, on: connection)
                } else {
                    accept(stream, on: connection)
                }
            }
        }
    }

    @Test func `the replay after an expired token carries another token on another connection`() async throws
    {
        let time = ManualClock()
        let source = try ScriptedTrust.source(clock: time.clock)
        _ = try source.current()
        time.advance(minutes: 21)
        let server = try await ScriptedServer { Refusing($0, $1, .expiredProviderToken, count: 1) }
        let client = try server.client { $0.credential = .token(source) }
        let outcome = await client.send(try Sample.notification(Sample.token(0)))
        #expect(outcome.isAccepted && outcome.attemptCount == 2)
        let requests = server.log.requests
        #expect(requests.map(\.connection) == [1, 2])
        #expect(requests.count == 2 && requests[0].authorization != requests[1].authorization)
    }

    @Test func `a token younger than 20 minutes is not signed again, however often it is called expired`()
        async throws
    {
        let time = ManualClock()
        let source = try ScriptedTrust.source(clock: time.clock)
        _ = try source.current()
        time.advance(minutes: 19)
        let server = try await ScriptedServer { Refusing($0, $1, .expiredProviderToken, count: .max) }
        let client = try server.client { $0.credential = .token(source) }
        for number in 0..<5 {
            let outcome = await client.send(try Sample.notification(Sample.token(number)))
            #expect(outcome.reason == .expiredProviderToken)
            #expect(outcome.attemptCount == 1)
        }
        #expect(Set(server.log.requests.map(\.authorization)).count == 1)
        #expect(server.log.requests.count == 5)
    }

    @Test func `a second answer that the token is expired is final`() async throws {
        let time = ManualClock()
        let source = try ScriptedTrust.source(clock: time.clock)
        _ = try source.current()
        time.advance(minutes: 21)
        let server = try await ScriptedServer { Refusing($0, $1, .expiredProviderToken, count: .max) }
        let client = try server.client { $0.credential = .token(source) }
        let outcome = await client.send(try Sample.notification(Sample.token(0)))
        #expect(outcome.reason == .expiredProviderToken && outcome.attemptCount == 2)
        #expect(Set(server.log.requests.map(\.authorization)).count == 2)
    }

    @Test func `one token serves all connections of all clients that share a source`() async throws {
        let source = try ScriptedTrust.source()
        let server = try await ScriptedServer(streamsMax: 10)
        let clients = try (0..<2).map { _ in
            try server.client {
                $0.credential = .token(source)
                $0.connectionCountMax = 2
            }
        }
        for round in 0..<3 {
            for client in clients {
                let outcomes = await client.send(try Sample.notifications(50))
                #expect(outcomes.allSatisfy { $0.isAccepted })
            }
            // The next round needs new connections.
            let before = server.log.ended.count
            server.forEachConnection { connection, _ in connection.goAway() }
            try await server.log.ended.wait(count: before + 2)
            #expect(round < 3)
        }
        #expect(server.log.connectionCount >= 6)
        #expect(Set(server.log.requests.map(\.authorization)).count == 1)
    }

    @Test func `a token is renewed on a connection that stays`() async throws {
        let time = ManualClock()
        let source = try ScriptedTrust.source(clock: time.clock)
        let server = try await ScriptedServer()
        let client = try server.client { $0.credential = .token(source) }
        for minutes: Int64 in [0, 39, 12] {
            time.advance(minutes: minutes)
            #expect(try await client.send(Sample.notification(Sample.token(0))).isAccepted)
        }
        let authorizations = server.log.requests.map(\.authorization)
        #expect(authorizations.count == 3)
        #expect(authorizations[0] == authorizations[1] && authorizations[1] != authorizations[2])
        #expect(server.log.connectionCount == 1)
    }

    @Test func `a key that APNs does not know is refused once for each notification`() async throws {
        try await GatewayWorld.run { world in
            let stranger = try ProviderTokenSource(
                keyID: "ABC123DEFG", teamID: world.gateway.addresses.teamID,
                signingKey: SigningKey.generate())
            let tokens = try world.register(5)
            let outcomes = try await world.client(credential: .token(stranger))
                .send(try tokens.map { try Sample.notification($0) })
            #expect(outcomes.allSatisfy { $0.reason == .invalidProviderToken && $0.attemptCount == 1 })
            #expect(world.journal.count == 5)
        }
    }
}
