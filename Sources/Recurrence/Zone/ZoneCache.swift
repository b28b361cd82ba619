#if canImport(Darwin)
internal import Foundation
#else
internal import Synchronization
#endif

/// The zones that were looked up in this process: a look-up costs 0.1 ms, and services ask for the same ones.
final class ZoneCache: Sendable {
    static let shared = ZoneCache()

    #if canImport(Darwin)
    // Mutex needs iOS 18.
    private let lock = NSLock()
    // Read and written with the lock held only, in withZones.
    nonisolated(unsafe) private var zones: [String: ZoneData] = [:]

    private func withZones<Value>(_ body: (inout [String: ZoneData]) -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body(&zones)
    }
    #else
    private let zones = Mutex<[String: ZoneData]>([:])

    private func withZones<Value: Sendable>(_ body: (inout sending [String: ZoneData]) -> Value) -> Value {
        zones.withLock { body(&$0) }
    }
    #endif

    /// The zone of a name; nil when there is none.
    func zone(named name: String) -> ZoneData? {
        if let known = withZones({ $0[name] }) { return known }
        guard let data = ZoneData(name: name) else { return nil }
        withZones { zones in
            if zones.count < RecurrenceLimits.cachedZoneCountMax { zones[name] = data }
        }
        return data
    }
}
