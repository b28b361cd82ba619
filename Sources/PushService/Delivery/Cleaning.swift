internal import PushStore
internal import Recurrence

/// Removes what is kept no longer: records, entries of the audit log, installations nobody has saved for long, interests
/// that have faded.
struct Cleaning: Sendable {
    /// How many rows one call of the store removes at most, so that it holds up nobody.
    static let countMax = 10_000
    /// For how long it is remembered which articles a device has had.
    static let seenArticleDays: Int64 = 30

    let store: any Store
    var countMax = Cleaning.countMax

    /// Removes all there is, however much: more may become old in a day than one call of the store removes.
    ///
    /// Ends early, with what it has removed, when the task is cancelled.
    func run(now: @Sendable () -> Instant) async throws(StoreError) {
        try await repeatedly { () async throws(StoreError) in
            try await store.removeExpiredInstallations(now: now(), limit: countMax)
        }
        try await repeatedly { () async throws(StoreError) in
            try await store.removeOldRecords(now: now(), limit: countMax)
        }
        try await repeatedly { () async throws(StoreError) in
            try await store.removeOldAudit(now: now(), limit: countMax)
        }
        try await repeatedly { () async throws(StoreError) in
            let time = now()
            return try await store.removeFadedInterests(
                seenBefore: time.advanced(bySeconds: -Self.seenArticleDays * 86_400), now: time,
                limit: countMax)
        }
    }

    private func repeatedly(
        _ remove: () async throws(StoreError) -> Int
    ) async throws(StoreError) {
        while !Task.isCancelled {
            if try await remove() < countMax { return }
        }
    }

    /// How long to rest after a run.
    ///
    /// Finding the few rows that are old reads whole tables, since an index on the time would cost every save of an
    /// installation. A run that took long is followed by a rest so long that the database is busy with this for
    /// no more than a hundredth of the time.
    ///
    /// - Returns: ten minutes at least, a day at most; what is kept is kept in days.
    static func rest(after duration: Duration) -> Duration {
        min(.seconds(86_400), max(.seconds(600), duration * 100))
    }
}
