internal import APNs
internal import PushStore
internal import Recurrence
internal import Synchronization

/// Counts of audiences, kept for a few seconds: somebody who types asks for the same one again and again.
final class AudienceShelf: Sendable {
    /// How long a count is taken for true.
    static let freshSeconds: Int64 = 20
    /// How long the number of all of an app's devices is, which nothing is decided by.
    static let roughSeconds: Int64 = 300
    /// How many counts are kept.
    static let entryCountMax = 200

    /// What can be said at once.
    enum Glance: Sendable {
        /// All were counted.
        case exact(AudienceCount)
        /// About so many; nil when even that is not clear. All are counted when ``count(of:app:store:now:)`` is asked.
        case about(Int?)
    }

    private struct Key: Hashable {
        var app: Int64
        var filter: WhereClause?
        var channels: [String]?
        var environment: Environment?
        var isTest: Bool

        init(_ request: PushRequest, _ app: App) {
            self.app = app.number
            filter = request.filter
            channels = request.channels
            environment = request.environment
            isTest = request.isTest
        }
    }

    private let gate = Gate(capacity: 1, waitingCountMax: 16)
    private let entries = Mutex<[Key: (count: AudienceCount, at: Instant)]>([:])

    /// How many devices a request would reach; waits until all are counted.
    func count(
        of request: PushRequest, app: App, store: any Store, now: Instant
    ) async throws -> AudienceCount {
        let key = Key(request, app)
        let asked = ContinuousClock.now
        if let count = known(key, now, Self.freshSeconds) { return count }
        return try await gate.pass {
            // Whoever was inside before may have counted just this.
            if let count = known(key, now, Self.freshSeconds) { return count }
            let count = try await store.audience(of: request, app: app, now: now)
            // It is as old as its end: one that took longer than it is fresh would be counted for one reader only.
            let end = now.advanced(bySeconds: asked.duration(to: .now).components.seconds)
            entries.withLock { entries in
                if entries.count >= Self.entryCountMax {
                    entries = entries.filter { Self.age($0.value.at, end) < Self.roughSeconds }
                    if entries.count >= Self.entryCountMax { entries = [:] }
                }
                entries[key] = (count, end)
            }
            return count
        }
    }

    /// What can be said of it without looking at everybody.
    ///
    /// - Parameter seconds: how old a count may be.
    func glance(
        at request: PushRequest, app: App, store: any Store, now: Instant, seconds: Int64 = freshSeconds
    ) async throws -> Glance {
        if let count = known(Key(request, app), now, seconds) { return .exact(count) }
        switch try await store.audienceEstimate(of: request, app: app, now: now) {
        case .countable: return .exact(try await count(of: request, app: app, store: store, now: now))
        case .unclear: return .about(nil)
        case .about(let number): return .about(number)
        }
    }

    private func known(_ key: Key, _ now: Instant, _ seconds: Int64) -> AudienceCount? {
        entries.withLock { $0[key] }.flatMap { Self.age($0.at, now) < seconds ? $0.count : nil }
    }

    private static func age(_ at: Instant, _ now: Instant) -> Int64 {
        abs(now.secondsSince1970 - at.secondsSince1970)
    }
}
