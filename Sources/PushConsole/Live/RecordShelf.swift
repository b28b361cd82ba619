internal import PushStore
internal import Recurrence
internal import Synchronization

/// Records of pushes; those of pushes that have ended are kept a while, since their counts are read from every batch.
final class RecordShelf: Sendable {
    /// How long an ended push's record is taken for true: only openings change it.
    static let freshSeconds: Int64 = 60
    /// How many are kept.
    static let entryCountMax = 500

    private let store: any Store
    private let entries = Mutex<[String: (record: PushRecord, at: Instant)]>([:])

    init(store: any Store) {
        self.store = store
    }

    /// A record that is at hand.
    func known(_ id: String, app: Int64, now: Instant) -> PushRecord? {
        entries.withLock { $0["\(app) \(id)"] }
            .flatMap {
                abs(now.secondsSince1970 - $0.at.secondsSince1970) < Self.freshSeconds ? $0.record : nil
            }
    }

    /// A record, read when it is not at hand.
    func record(_ id: String, app: Int64, now: Instant) async throws(StoreError) -> PushRecord? {
        if let record = known(id, app: app, now: now) { return record }
        guard let record = try await store.record(id: id, app: app) else { return nil }
        if record.pushes.allSatisfy(\.state.isFinal), !record.pushes.isEmpty {
            entries.withLock { entries in
                if entries.count >= Self.entryCountMax {
                    let kept = entries.sorted { $0.value.at > $1.value.at }.prefix(Self.entryCountMax / 2)
                    entries = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
                }
                entries["\(app) \(id)"] = (record, now)
            }
        }
        return record
    }
}
