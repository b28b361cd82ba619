internal import Foundation

/// One value of a storage as JSON, with its key.
final class StoredValue<Value: Codable & Sendable>: Sendable {
    private let storage: any KeyValueStorage
    private let key: String
    /// Held while a value is written, so that of two at a time the newer one is written last.
    private let writing = Guarded<Void>(())

    init(_ key: String, in storage: any KeyValueStorage) {
        self.key = key
        self.storage = storage
    }

    /// The value; nil when there is none, or one that another version of the library wrote and this one cannot read.
    func load() -> Value? {
        guard let data = storage.data(forKey: key) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: data)
    }

    /// Keeps the newest value, so that it survives the end of the process.
    ///
    /// - Parameter newest: reads the value of the moment.
    func save(_ newest: () -> Value) throws(BelfryKitError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            try writing.withLock { _ in
                try storage.setData(try encoder.encode(newest()), forKey: key)
            }
        } catch let error as BelfryKitError {
            throw error
        } catch {
            throw BelfryKitError(code: .storage, message: "\(key): \(error)")
        }
    }
}
