import APNs
import PushStore
import Recurrence

/// A store with one app, and short words for what tests of pushes do with it.
struct PushWorld: Sendable {
    let store: any Store
    let app: App

    static func with<Success>(
        _ kind: StoreUnderTest, _ body: (PushWorld) async throws -> Success
    ) async throws -> Success {
        try await kind.with { store in
            try await body(PushWorld(store: store, app: try await store.makeApp()))
        }
    }

    // MARK: Installations

    /// Saves an iPhone with a token made of a number.
    @discardableResult
    func install(
        _ number: Int, _ fields: [String: JSONValue] = [:], app: App? = nil, at seconds: Int64 = -1
    ) async throws -> Installation {
        var body = fields
        body["deviceType"] = body["deviceType"] ?? "ios"
        body["deviceToken"] = .string(PushWorld.token(number))
        return try await store.save(body, app ?? self.app, at: seconds).installation
    }

    static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    /// Adds so many rows at once, faster than one save each.
    func installMany(_ count: Int, app: App? = nil) async throws {
        for start in stride(from: 0, to: count, by: 2_000) {
            let rows = (start..<min(start + 2_000, count)).map { number in
                ImportedInstallation(fields: [
                    "objectId": .string("row\(number)"), "updatedAt": .string(Instant.test(-1).iso8601),
                    "deviceType": "ios", "deviceToken": .string(PushWorld.token(number + 1)),
                ])
            }
            _ = try await store.importInstallations(rows, app: (app ?? self.app).number, now: .test(-1))
        }
    }

    // MARK: Pushes

    func push(
        at seconds: Int64 = 0, app: App? = nil, _ change: (inout PushRequest) throws -> Void = { _ in }
    ) async throws -> Push {
        var request = PushRequest(data: ["alert": "hello"])
        try change(&request)
        return try await store.createPush(request, app: app ?? self.app, now: .test(seconds)).push
    }

    /// Starts what is due and plans all of it.
    @discardableResult
    func plan(at now: Instant) async throws -> Instant? {
        _ = try await store.advance(now: now)
        while try await store.planChunk(now: now) {}
        return try await store.advance(now: now).next
    }

    @discardableResult
    func plan(at seconds: Int64 = 0) async throws -> Instant? { try await plan(at: .test(seconds)) }

    func claim(
        _ owner: String = "sender", at seconds: Int64 = 0, lease: Int64 = 60, held: Set<Int64> = []
    ) async throws -> ClaimedBatch? {
        try await claim(owner, at: .test(seconds), lease: lease, held: held)
    }

    func claim(
        _ owner: String = "sender", at now: Instant, lease: Int64 = 60, held: Set<Int64> = []
    ) async throws -> ClaimedBatch? {
        try await store.claimBatch(
            owner: owner, leaseUntil: now.advanced(bySeconds: lease), held: held, now: now)
    }

    /// Stores one outcome for every pending device and finishes the batch.
    @discardableResult
    func finish(
        _ batch: ClaimedBatch, as outcome: DeviceOutcome = .accepted, at seconds: Int64 = 0
    ) async throws -> Push.State {
        let outcomes = batch.outcomes.map { $0 == .pending ? outcome : $0 }
        return try await store.store(
            BatchReport(outcomes: outcomes, next: .finish), of: batch, now: .test(seconds))
    }

    /// Claims and finishes everything that is ready.
    ///
    /// - Returns: the numbers that were sent to, in the order of batches.
    func sendAll(at now: Instant, as outcome: DeviceOutcome = .accepted) async throws -> [Int64] {
        var numbers: [Int64] = []
        while let batch = try await claim(at: now) {
            numbers += batch.installations
            let outcomes = batch.outcomes.map { $0 == .pending ? outcome : $0 }
            _ = try await store.store(BatchReport(outcomes: outcomes, next: .finish), of: batch, now: now)
        }
        return numbers
    }

    /// Plans and sends, and gives whom it went to.
    func reached(
        at seconds: Int64 = 0, _ change: (inout PushRequest) throws -> Void = { _ in }
    ) async throws -> [Int64] {
        _ = try await push(at: seconds, change)
        try await plan(at: seconds)
        return try await sendAll(at: .test(seconds))
    }

    func state(_ push: Push) async throws -> Push.State? {
        try await store.push(objectID: push.objectID, app: push.app)?.state
    }

    func record(_ push: Push) async throws -> PushRecord? {
        try await store.record(id: push.objectID, app: push.app)
    }

    func set(_ state: Push.State, _ push: Push, at seconds: Int64 = 0) async throws -> Push? {
        try await store.setState(state, push: push.objectID, app: push.app, now: .test(seconds))
    }
}
