internal import PushStore
internal import Recurrence
internal import Synchronization

/// Keeps the requests of each app below what its settings allow, over all nodes.
///
/// A node that shares its store takes requests out of the shared allowance some at a time, ahead of need, and uses
/// them within a second: together the nodes let through at most what is allowed, and a database sees a fraction of
/// the requests.
final class RateLimiter: Sendable {
    /// How often a second a node asks for more, at the most: a twentieth of the limit at once, and when there is nothing.
    private static let grantsPerSecond = 20
    /// How long a node keeps what it was granted.
    private static let reserveMilliseconds: Int64 = 1000

    private struct Reserve {
        var count = 0
        var endsAt: Instant
        /// Until when there is nothing more to be had.
        var emptyUntil: Instant?

        /// Gives up what is over; what seems to last longer than it may is of a clock that was set back.
        mutating func drop(at now: Instant) {
            let furthest = now.advanced(byMilliseconds: RateLimiter.reserveMilliseconds)
            if endsAt <= now || endsAt > furthest { count = 0 }
            if let time = emptyUntil, time <= now || time > furthest { emptyUntil = nil }
        }
    }

    private struct State {
        var buckets: [Int64: TokenBucket] = [:]
        var reserves: [Int64: Reserve] = [:]
    }

    private let store: any RequestRateStore
    private let state = Mutex(State())

    init(store: any RequestRateStore) { self.store = store }

    /// Counts a request.
    ///
    /// - Parameter count: how many it stands for: a batch stands for all in it.
    /// - Throws: 429 with the time to wait.
    func admit(_ count: Int, app: App, now: Instant) async throws(APIError) {
        let perSecond = app.settings.requestsPerSecondMax
        guard perSecond > 0 else { return }
        // Of more than a second's worth, a second's worth is taken.
        let count = min(count, perSecond)
        switch takeReserve(count, app: app.number, now: now) {
        case .passes: return
        case .isEmpty(let milliseconds): throw Self.refusal(perSecond, milliseconds)
        case .needs(let missing):
            let grant: RequestGrant?
            do {
                grant = try await store.takeRequests(
                    max(missing, perSecond / Self.grantsPerSecond), perSecond: perSecond, app: app.number)
            } catch {
                throw APIError(error)
            }
            if let grant {
                try take(count, grant, app: app.number, perSecond: perSecond, now: now)
            } else {
                try takeAlone(count, app: app.number, perSecond: perSecond, now: now)
            }
        }
    }

    private enum Answer { case passes, needs(Int), isEmpty(milliseconds: Int64) }

    private func takeReserve(_ count: Int, app: Int64, now: Instant) -> Answer {
        state.withLock { state in
            guard var reserve = state.reserves[app] else { return .needs(count) }
            reserve.drop(at: now)
            defer { state.reserves[app] = reserve }
            if reserve.count >= count {
                reserve.count -= count
                return .passes
            }
            if let emptyUntil = reserve.emptyUntil {
                return .isEmpty(milliseconds: emptyUntil.millisecondsSince1970 - now.millisecondsSince1970)
            }
            return .needs(count - reserve.count)
        }
    }

    private func take(
        _ count: Int, _ grant: RequestGrant, app: Int64, perSecond: Int, now: Instant
    ) throws(APIError) {
        let wait: Int64? = state.withLock { state in
            var reserve = state.reserves[app] ?? Reserve(endsAt: now)
            reserve.drop(at: now)
            reserve.count += grant.count
            reserve.endsAt = now.advanced(byMilliseconds: Self.reserveMilliseconds)
            reserve.emptyUntil = nil
            defer { state.reserves[app] = reserve }
            if reserve.count >= count {
                reserve.count -= count
                return nil
            }
            // What is here stays for smaller ones.
            let wait = grant.nextMilliseconds + Int64(count - reserve.count - 1) * 1000 / Int64(perSecond)
            // What comes meanwhile stays in the shared allowance.
            reserve.emptyUntil = now.advanced(
                byMilliseconds: max(grant.nextMilliseconds, 1000 / Int64(Self.grantsPerSecond)))
            return wait
        }
        if let wait { throw Self.refusal(perSecond, wait) }
    }

    private func takeAlone(_ count: Int, app: Int64, perSecond: Int, now: Instant) throws(APIError) {
        let wait = state.withLock { state in
            state.buckets[app, default: TokenBucket(perSecond: perSecond, now: now)]
                .take(count, perSecond: perSecond, now: now)
        }
        if let wait { throw Self.refusal(perSecond, wait) }
    }

    private static func refusal(_ perSecond: Int, _ milliseconds: Int64) -> APIError {
        APIError(
            status: 429, code: 429, "too many requests: \(perSecond) a second are allowed for this app",
            retryAfterSeconds: Int((max(1, milliseconds) + 999) / 1000))
    }
}
