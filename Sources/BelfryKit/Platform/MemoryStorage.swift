public import Foundation

/// Values in memory, for tests and previews: they end with the process.
public final class MemoryStorage: KeyValueStorage {
    private let values = Guarded<[String: Data]>([:])

    /// Makes an empty storage.
    public init() {}

    /// The value of a key; nil when it has none.
    public func data(forKey key: String) -> Data? { values.withLock { $0[key] } }

    /// Sets the value of a key, or removes it with nil.
    public func setData(_ data: Data?, forKey key: String) { values.withLock { $0[key] = data } }
}
