internal import PushStore
internal import Recurrence
internal import Synchronization

/// What became of devices hour by hour; hours that are over are read once.
final class SeriesShelf: Sendable {
    /// How long after its end an hour is taken for over: what ends in it may be stored a little later.
    private static let settleSeconds: Int64 = 120
    private static let hour: Int64 = 3600
    /// How many apps are remembered.
    private static let appCountMax = 64

    private struct Hours {
        /// The first hour that was read, in hours since 1970, and the one after the last.
        var known: Range<Int64>
        var slices: [Int64: DeliverySlice]
    }

    private let gate = Gate(capacity: 1, waitingCountMax: 32)
    private let apps = Mutex<[Int64: Hours]>([:])

    /// Whether a span can be told without reading more than the present hour.
    func isReady(hourCount: Int64, app: Int64, now: Instant) -> Bool {
        let wanted = Self.range(hourCount, now)
        guard let hours = apps.withLock({ $0[app] }) else { return false }
        return hours.known.lowerBound <= wanted.lowerBound && hours.known.upperBound >= wanted.upperBound - 3
    }

    /// The last hours, each with its slice; hours in which nothing happened are empty.
    func hours(
        _ hourCount: Int64, app: Int64, store: any Store, now: Instant
    ) async throws -> [DeliverySlice] {
        let wanted = Self.range(hourCount, now)
        let settled = (now.secondsSince1970 - Self.settleSeconds) / Self.hour
        try await gate.pass {
            let hours = apps.withLock { $0[app] }
            if let hours, hours.known.lowerBound <= wanted.lowerBound, hours.known.upperBound <= settled {
                // Only what came since.
                try await read(hours.known.upperBound..<settled, app: app, store)
            } else if hours == nil || hours.map({ $0.known.lowerBound > wanted.lowerBound }) == true {
                apps.withLock { $0[app] = nil }
                try await read(wanted.lowerBound..<settled, app: app, store)
            }
        }
        var slices = apps.withLock { $0[app]?.slices ?? [:] }
        let open = try await store.deliverySlices(
            from: Self.instant(settled), to: now.advanced(bySeconds: 60), stepSeconds: Self.hour, app: app)
        for slice in open { slices[slice.start.secondsSince1970 / Self.hour] = slice }
        return wanted.map { slices[$0] ?? DeliverySlice(start: Self.instant($0)) }
    }

    private func read(_ range: Range<Int64>, app: Int64, _ store: any Store) async throws {
        guard !range.isEmpty else { return }
        let found = try await store.deliverySlices(
            from: Self.instant(range.lowerBound), to: Self.instant(range.upperBound), stepSeconds: Self.hour,
            app: app)
        apps.withLock { apps in
            if apps.count >= Self.appCountMax, apps[app] == nil { apps = [:] }
            var hours = apps[app] ?? Hours(known: range, slices: [:])
            hours.known = min(hours.known.lowerBound, range.lowerBound)..<range.upperBound
            for slice in found { hours.slices[slice.start.secondsSince1970 / Self.hour] = slice }
            apps[app] = hours
        }
    }

    private static func range(_ hourCount: Int64, _ now: Instant) -> Range<Int64> {
        let end = now.secondsSince1970 / hour + 1
        return (end - hourCount)..<end
    }

    private static func instant(_ hour: Int64) -> Instant { Instant(secondsSince1970: hour * Self.hour) }
}
