internal import PushStore
internal import Recurrence
internal import Synchronization

/// What became of pushes' devices by environment, language and zone; kept a while, since every device is looked at.
final class DivisionShelf: Sendable {
    /// A division, and whether it is of all devices.
    struct Entry: Sendable {
        var division: OutcomeDivision
        var isWhole: Bool
    }

    /// How long the division of a push that goes on is taken for true.
    static let freshSeconds: Int64 = 10
    /// How long that of an ended one is: only openings change it.
    static let endedFreshSeconds: Int64 = 120
    /// How many are kept.
    static let entryCountMax = 100
    /// How many batches are read at once: others read the store between.
    static let batchCount = 20
    /// How many batches are read at most, of up to 2,000 devices each.
    static let batchCountMax = 1_000
    /// How many openings are read at once.
    static let openCount = 20_000
    /// How many openings are read at most.
    static let openCountMax = 1_000_000

    private struct Key: Hashable {
        var app: Int64
        var record: String
    }

    private let gate = Gate(capacity: 1, waitingCountMax: 16)
    private let entries = Mutex<[Key: (entry: Entry, isEnded: Bool, at: Instant)]>([:])

    /// What became of a record's devices.
    func division(
        of record: String, isEnded: Bool, app: Int64, store: any Store, now: Instant
    ) async throws -> Entry {
        let key = Key(app: app, record: record)
        if let entry = fresh(key, isEnded, now) { return entry }
        return try await gate.pass {
            // Whoever was inside before may have counted just this.
            if let entry = fresh(key, isEnded, now) { return entry }
            let entry = try await Self.read(record, app: app, store)
            entries.withLock { entries in
                if entries.count >= Self.entryCountMax { entries = [:] }
                entries[key] = (entry, isEnded, now)
            }
            return entry
        }
    }

    private static func read(_ record: String, app: Int64, _ store: any Store) async throws -> Entry {
        var division = OutcomeDivision()
        var batch: Int64? = 0
        var count = 0
        while let last = batch, count < batchCountMax {
            let page = try await store.outcomeDivision(
                record: record, after: last, limit: batchCount, app: app)
            division.add(page.division)
            batch = page.next
            count += batchCount
        }
        var installation: String? = ""
        count = 0
        while let last = installation, count < openCountMax {
            let page = try await store.openDivision(record: record, after: last, limit: openCount, app: app)
            division.add(page.division)
            installation = page.next
            count += openCount
        }
        return Entry(division: division, isWhole: batch == nil && installation == nil)
    }

    private func fresh(_ key: Key, _ isEnded: Bool, _ now: Instant) -> Entry? {
        guard let found = entries.withLock({ $0[key] }), found.isEnded == isEnded else { return nil }
        let age = abs(now.secondsSince1970 - found.at.secondsSince1970)
        return age < (isEnded ? Self.endedFreshSeconds : Self.freshSeconds) ? found.entry : nil
    }
}
