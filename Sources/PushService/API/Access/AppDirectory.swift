internal import PushStore
internal import Recurrence
internal import Synchronization

/// The apps of the service with their keys, kept in memory and read again when somebody changed them.
///
/// Safe from any task. What changed is seen after a second at the latest; a key that is not known is looked for at
/// once.
final class AppDirectory: Sendable {
    /// An app and the keys that prove its requests.
    struct Entry: Sendable {
        var app: App
        var keys: [AppKey]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The revision the entries are of; nil before the first reading.
        var revision: Int64?
        /// When the revision was last asked for.
        var checkedAt: Instant?
    }

    /// How long entries are taken for fresh without asking.
    static let freshMilliseconds: Int64 = 1000

    private let store: any Store
    private let state = Mutex(State())

    init(store: any Store) {
        self.store = store
    }

    /// Who sends a request.
    ///
    /// - Throws: 401 when the proof is of no key of the app, or what the store throws.
    func caller(of proof: RequestProof, now: Instant) async throws(APIError) -> Caller {
        if claimCheck(now: now) { try await refresh(now: now) }
        if let caller = caller(proof, now) { return caller }
        try await refresh(now: now)
        guard let caller = caller(proof, now) else {
            throw RequestProof.refusal("the app id or the key is not known here")
        }
        return caller
    }

    /// All apps, as fresh as for a request.
    func apps(now: Instant) async throws(APIError) -> [App] {
        if claimCheck(now: now) { try await refresh(now: now) }
        return state.withLock { $0.entries.values.map(\.app) }.sorted { $0.number < $1.number }
    }

    private func caller(_ proof: RequestProof, _ now: Instant) -> Caller? {
        guard let entry = state.withLock({ $0.entries[proof.appID] }),
            proof.isProof(of: entry.keys, now: now)
        else { return nil }
        return Caller(app: entry.app, isMaster: proof.isMaster, isProduction: proof.isProduction)
    }

    /// Whether this request has to look whether anything changed; one does, others go on with what is there.
    private func claimCheck(now: Instant) -> Bool {
        state.withLock { state in
            if let checkedAt = state.checkedAt, state.revision != nil,
                abs(now.millisecondsSince1970 - checkedAt.millisecondsSince1970) < Self.freshMilliseconds
            {
                return false
            }
            state.checkedAt = now
            return true
        }
    }

    private func refresh(now: Instant) async throws(APIError) {
        do throws(StoreError) {
            let revision = try await store.administrationRevision()
            if state.withLock({ $0.revision == revision }) { return }
            var entries: [String: Entry] = [:]
            for app in try await store.apps() {
                entries[app.id] = Entry(app: app, keys: try await store.keys(app: app.number, now: now))
            }
            // A change during the reading has another revision and is read again.
            state.withLock { state in
                if let newer = state.revision, newer > revision { return }
                state.entries = entries
                state.revision = revision
            }
        } catch {
            throw APIError(error)
        }
    }
}
