internal import PushStore
internal import Recurrence
internal import Synchronization

/// Keeps the requests of each app below what its settings allow.
final class RateLimiter: Sendable {
    private let buckets = Mutex<[Int64: TokenBucket]>([:])

    /// Counts a request.
    ///
    /// - Parameter count: how many it stands for: a batch stands for all in it.
    /// - Throws: 429 with the time to wait.
    func admit(_ count: Int, app: App, now: Instant) throws(APIError) {
        let perSecond = app.settings.requestsPerSecondMax
        guard perSecond > 0 else { return }
        let wait = buckets.withLock { buckets in
            buckets[app.number, default: TokenBucket(perSecond: perSecond, now: now)]
                .take(count, perSecond: perSecond, now: now)
        }
        guard let wait else { return }
        throw APIError(
            status: 429, code: 429, "too many requests: \(perSecond) a second are allowed for this app",
            retryAfterSeconds: Int((wait + 999) / 1000))
    }
}
