import APNs
import PushStore
import Recurrence
import Synchronization
import Testing

@testable import PushService

/// What becomes of a push while the scheduler ends it.
@Suite(.timeLimit(.minutes(5)))
struct AdvanceTests {
    private static let now = Instant(secondsSince1970: 1_796_000_000)

    private func app(of store: SQLiteStore) async throws -> App {
        try await store.createApp(
            id: "news", name: "News", topic: "com.example.news", appKey: "app-key-0123456789",
            masterKey: "master-key-0123456789", now: Self.now)
    }

    /// Runs a body before the next change.
    private final class BeforeChange: TransactionGate {
        private let body = Mutex<(@Sendable () async -> Void)?>(nil)

        func set(_ body: @escaping @Sendable () async -> Void) { self.body.withLock { $0 = body } }

        func enter(_ kind: TransactionPass.Kind) async throws(StoreError) -> TransactionPass {
            let body: (@Sendable () async -> Void)? = body.withLock { body in
                guard kind == .write else { return nil }
                defer { body = nil }
                return body
            }
            await body?()
            return TransactionPass(kind: kind, number: 0)
        }

        func leave(_ pass: TransactionPass) async throws(StoreError) {}
    }

    @Test func `a push that is resumed at the end of its time for that is not cancelled`() async throws {
        let gate = BeforeChange()
        let connection = try SQLiteStore.connectionInMemory()
        let secret = StoreSecret.random()
        let whole = try SQLiteStore.open(on: connection, secret: secret, configuration: .init(), gate: nil)
        let store = try SQLiteStore.open(on: connection, secret: secret, configuration: .init(), gate: gate)
        let app = try await app(of: whole)
        var request = PushRequest(data: ["alert": "hello"])
        request.time = .at(Self.now.advanced(bySeconds: 60))
        request.lifetime = .until(Self.now.advanced(bySeconds: 3_600))
        let push = try await whole.createPush(request, app: app, now: Self.now).push
        _ = try await whole.setState(.paused, push: push.objectID, app: app.number, now: Self.now)
        let late = Self.now.advanced(bySeconds: 3_600)
        gate.set {
            _ = try? await whole.setState(.running, push: push.objectID, app: app.number, now: late)
        }
        let ended = try await store.advance(now: late).ended
        #expect(ended.map(\.objectID) == [])
        let state = try await whole.push(objectID: push.objectID, app: app.number)?.state
        #expect(state != .cancelled && state != .paused)
    }

    @Test func `an ended push is told of also when the database fails right after`() async throws {
        let outage = Outage()
        let (whole, failing) = try outage.stores()
        let app = try await app(of: whole)
        let push = try await whole.createPush(
            PushRequest(data: ["alert": "hello"]), app: app, now: Self.now
        ).push
        // Nobody is there: it ends as soon as it is planned.
        _ = try await whole.advance(now: Self.now)
        while try await whole.planChunk(now: Self.now) {}
        let hasChanged = Mutex(false)
        outage.begin(.unavailable) { pass in
            hasChanged.withLock { hasChanged in
                if pass.kind == .write { hasChanged = true }
                return hasChanged && pass.kind == .read
            }
        }
        let (ended, next) = try await failing.advance(now: Self.now)
        #expect(ended.map(\.objectID) == [push.objectID])
        #expect(next == nil)
        // Without any there is nothing to keep, and the failure is told.
        let error = await #expect(throws: StoreError.self) { try await failing.advance(now: Self.now) }
        #expect(error?.code == .unavailable)
    }
}
