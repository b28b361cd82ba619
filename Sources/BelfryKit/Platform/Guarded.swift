internal import Foundation

/// A value behind a lock; sections are short, and nothing is called from inside them.
///
/// Not `Mutex`, which needs iOS 18.
///
/// Sendable: the value is reached through the lock only.
final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
