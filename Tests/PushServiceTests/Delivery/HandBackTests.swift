import APNs
import APNsClient
import PushStore
import Recurrence
import Synchronization
import Testing
import Transport

@testable import PushService

/// The database goes away after a batch was claimed and before anything of it is sent.
@Suite(.timeLimit(.minutes(1)))
struct HandBackTests {
    /// A batch's sender, interrupted at one of its reads.
    private func interrupted(
        at position: Int, _ code: StoreError.Code,
        _ body: (SQLiteStore, Push, Instant, StoreError?) async throws -> Void
    ) async throws {
        let now = Instant(secondsSince1970: 1_796_000_000)
        let outage = Outage()
        let (whole, failing) = try outage.stores()
        let app = try await whole.createApp(
            id: "news", name: "News", topic: "com.example.news", appKey: "app-key-0123456789",
            masterKey: "master-key-0123456789", now: now)
        _ = try await whole.save(
            InstallationChange(
                target: .matching,
                body: ["deviceType": "ios", "deviceToken": .string(String(repeating: "0a", count: 32))]),
            app: app.number, now: now)
        let push = try await whole.createPush(
            PushRequest(data: ["alert": "hello"]), app: app, now: now
        ).push
        let loops = EventLoopGroup(count: 1, name: "hand-back-test")
        defer { loops.shutdown() }
        let nowhere = try Endpoint(url: "https://127.0.0.1:9")
        let service = DeliveryService(
            store: failing, endpoints: .init(production: nowhere, sandbox: nowhere), owner: "one",
            loops: loops, now: { now })
        try await service.scheduleOnce()
        // The claim is the first write; of the reads that follow one fails, and everything after it goes.
        let seen = Mutex((hasClaimed: false, readCount: 0))
        outage.begin(code) { pass in
            seen.withLock { seen in
                if pass.kind == .write { seen.hasClaimed = true }
                guard seen.hasClaimed, pass.kind == .read else { return false }
                seen.readCount += 1
                return seen.readCount == position
            }
        }
        var sender = service.makeSender()
        var failure: StoreError?
        do throws(StoreError) {
            _ = try await service.sendOnce(&sender)
        } catch {
            failure = error
        }
        outage.end()
        try await body(whole, push, now, failure)
        await service.shutdown()
    }

    @Test(
        arguments: [StoreError.Code.unavailable, .uncertain, .overloaded, .full], [1, 2, 3, 4])
    func `a batch of which nothing was sent is another's at once when the database was away`(
        code: StoreError.Code, position: Int
    ) async throws {
        try await interrupted(at: position, code) { store, push, now, failure in
            #expect(failure?.code == code)
            #expect(failure?.push?.objectID == push.objectID)
            let batch = try #require(
                try await store.claimBatch(
                    owner: "two", leaseUntil: now.advanced(bySeconds: 60), held: [], now: now))
            #expect(batch.push.number == push.number)
            #expect(batch.outcomes == [.pending])
            #expect(batch.attemptCount == 0, "its devices have not had their turn")
        }
    }

    @Test func `a batch whose sender met a broken database lies until its lease has run out`() async throws {
        try await interrupted(at: 1, .database) { store, push, now, failure in
            #expect(failure?.code == .database)
            let early = try await store.claimBatch(
                owner: "two", leaseUntil: now.advanced(bySeconds: 60), held: [], now: now)
            #expect(early == nil)
            let later = now.advanced(bySeconds: BatchSender.leaseSeconds)
            let taken = try await store.claimBatch(
                owner: "two", leaseUntil: later.advanced(bySeconds: 60), held: [], now: later)
            #expect(taken?.push.number == push.number)
        }
    }
}
