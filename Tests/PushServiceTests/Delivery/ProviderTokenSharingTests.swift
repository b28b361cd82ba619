import APNs
import Crypto
import PushStore
import SQLite
import Synchronization
import Testing
import Transport

@testable import APNsClient
@testable import PushService

/// Nodes of one team show APNs one token at a time, and a restart does not make another.
@Suite(.timeLimit(.minutes(5)))
struct ProviderTokenSharingTests {
    private final class Clock: Sendable {
        private let milliseconds = Mutex<Int64>(1_800_000_000_000)
        var wall: WallClock { WallClock { [self] in milliseconds.withLock { $0 } } }
        func advance(minutes: Int64) { milliseconds.withLock { $0 += minutes * 60_000 } }
    }

    private struct Node {
        var source: ProviderTokenSource
        var sharing: ProviderTokenSharing
        var secret: PushCredential.Secret

        init(_ key: SigningKey, _ store: any ProviderTokenStore, _ clock: Clock) throws {
            secret = .key(p8: key.p8, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
            source = try ProviderTokenSource(
                keyID: "ABC123DEFG", teamID: "DEF123GHIJ", signingKey: key, clock: clock.wall)
            sharing = ProviderTokenSharing(store: store)
        }

        /// What a batch does before it sends.
        func token() async throws -> [UInt8] {
            await sharing.share(source, of: secret)
            return try source.current().authorization
        }
    }

    @Test func `twenty nodes change their token together, at most every 35 minutes`() async throws {
        try await DeliveryWorld.run { world in
            let clock = Clock()
            let key = try SigningKey.generate()
            let nodes = try (0..<20).map { _ in try Node(key, world.store, clock) }
            var changes: [(minute: Int64, tokens: Set<[UInt8]>)] = []
            for minute in 0..<Int64(300) {
                var tokens = Set<[UInt8]>()
                for node in nodes { tokens.insert(try await node.token()) }
                // While one after the other changes over, two are in use.
                #expect(tokens.count <= 2)
                if changes.last?.tokens != tokens { changes.append((minute, tokens)) }
                clock.advance(minutes: 1)
            }
            let all = changes.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.tokens) }
            #expect((6...9).contains(all.count), "\(all.count) tokens in five hours")
        }
    }

    @Test func `a service that starts again and again signs no new token`() async throws {
        try await DeliveryWorld.run { world in
            let clock = Clock()
            let key = try SigningKey.generate()
            var tokens = Set<[UInt8]>()
            for _ in 0..<10 {
                tokens.insert(try await Node(key, world.store, clock).token())
                try await world.crash()
                clock.advance(minutes: 3)
            }
            #expect(tokens.count == 1)
        }
    }

    @Test func `another key with the same id has tokens of its own`() async throws {
        try await DeliveryWorld.run { world in
            let clock = Clock()
            let wrong = try await Node(SigningKey.generate(), world.store, clock).token()
            let right = try await Node(SigningKey.generate(), world.store, clock).token()
            #expect(wrong != right)
        }
    }

    private struct Away: ProviderTokenStore {
        func shareProviderToken(
            _ candidate: SharedProviderToken, key: [UInt8], issuedAfter oldest: Int64
        ) async throws(StoreError) -> SharedProviderToken {
            throw StoreError(.database, "away")
        }
    }

    @Test func `a node whose store is away signs its own`() async throws {
        let node = try Node(SigningKey.generate(), Away(), Clock())
        let first = try await node.token()
        let second = try await node.token()
        #expect(!first.isEmpty && first == second)
    }

    @Test func `nodes that send use the token that is kept`() async throws {
        try await DeliveryWorld.run { world in
            _ = try await world.addPhones(50)
            for owner in ["one", "two", "three"] {
                let push = try await world.push()
                try await world.work(try world.service(owner))
                #expect(try await world.outcomes(push) == [.accepted: 50])
            }
            let database = try Database(path: world.folder + "/belfry.sqlite")
            let kept = try database.all("SELECT issued_at, token FROM provider_tokens") {
                row throws(SQLiteError) in (try row.integer(0), try row.bytes(1))
            }
            #expect(kept.count == 1)
            // Sealed: a copy of the file is no key to APNs.
            #expect(kept.allSatisfy { !String(decoding: $0.1, as: UTF8.self).contains("eyJ") })
        }
    }
}
