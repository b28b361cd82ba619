internal import APNs
internal import PushStore
internal import Recurrence
internal import Synchronization

/// Counts of audiences, kept for a few seconds: somebody who types asks for the same one again and again.
final class AudienceShelf: Sendable {
    /// How long a count is taken for true.
    static let freshSeconds: Int64 = 20
    /// How many counts are kept.
    static let entryCountMax = 200

    private struct Key: Hashable {
        var app: Int64
        var filter: WhereClause?
        var channels: [String]?
        var environment: Environment?
        var isTest: Bool
    }

    private let gate = Gate(capacity: 1, waitingCountMax: 16)
    private let entries = Mutex<[Key: (count: AudienceCount, at: Instant)]>([:])

    /// How many devices a request would reach.
    func count(
        of request: PushRequest, app: App, store: any Store, now: Instant
    ) async throws -> AudienceCount {
        let key = Key(
            app: app.number, filter: request.filter, channels: request.channels,
            environment: request.environment, isTest: request.isTest)
        if let count = fresh(key, now) { return count }
        return try await gate.pass {
            // Whoever was inside before may have counted just this.
            if let count = fresh(key, now) { return count }
            let count = try await store.audience(of: request, app: app, now: now)
            entries.withLock { entries in
                if entries.count >= Self.entryCountMax {
                    entries = entries.filter { Self.isFresh($0.value.at, now) }
                    if entries.count >= Self.entryCountMax { entries = [:] }
                }
                entries[key] = (count, now)
            }
            return count
        }
    }

    private func fresh(_ key: Key, _ now: Instant) -> AudienceCount? {
        entries.withLock { $0[key] }.flatMap { Self.isFresh($0.at, now) ? $0.count : nil }
    }

    private static func isFresh(_ at: Instant, _ now: Instant) -> Bool {
        abs(now.secondsSince1970 - at.secondsSince1970) < freshSeconds
    }
}
