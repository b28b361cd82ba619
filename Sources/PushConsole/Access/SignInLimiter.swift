internal import Recurrence

/// Slows down whoever guesses passwords: a few attempts at once, then one at a time.
///
/// Pure. Attempts are counted by user name and by address; the table is bounded.
struct SignInLimiter: Sendable {
    /// Attempts for one name before the next has to wait.
    static let attemptCountMaxPerName = 5
    /// Attempts from one address before the next has to wait; several people may share one.
    static let attemptCountMaxPerAddress = 20
    /// After how long one more attempt is allowed.
    static let recoverySeconds: Int64 = 30
    /// How many names and addresses are remembered; beyond that the longest idle ones are forgotten.
    static let entryCountMax = 10_000

    private struct Entry {
        /// How many attempts count at `at`, in milliseconds of recovery.
        var debt: Int64
        var at: Instant
    }

    private var entries: [String: Entry] = [:]

    /// Counts an attempt.
    ///
    /// - Returns: nil when it may be made, otherwise after how many seconds the next may.
    mutating func attempt(name: String, address: String, now: Instant) -> Int? {
        let keys = [
            ("n" + name.prefix(100).lowercased(), Self.attemptCountMaxPerName),
            ("a" + address, Self.attemptCountMaxPerAddress),
        ]
        let step = Self.recoverySeconds * 1000
        for (key, countMax) in keys {
            let debt = debt(key, now)
            let wait = debt + step - Int64(countMax) * step
            if wait > 0 { return Int((wait + 999) / 1000) }
        }
        for (key, _) in keys { entries[key] = Entry(debt: debt(key, now) + step, at: now) }
        if entries.count > Self.entryCountMax { forget(now) }
        return nil
    }

    /// Forgets the attempts for a name that has proved itself.
    mutating func succeed(name: String) {
        entries["n" + name.prefix(100).lowercased()] = nil
    }

    private func debt(_ key: String, _ now: Instant) -> Int64 {
        guard let entry = entries[key] else { return 0 }
        // A clock that was put back helps nobody.
        let elapsed = max(0, now.millisecondsSince1970 - entry.at.millisecondsSince1970)
        return max(0, entry.debt - elapsed)
    }

    private mutating func forget(_ now: Instant) {
        entries = entries.filter { debt($0.key, now) > 0 }
        if entries.count > Self.entryCountMax {
            let oldest = entries.sorted { $0.value.at < $1.value.at }.prefix(entries.count / 2)
            for (key, _) in oldest { entries[key] = nil }
        }
    }
}
