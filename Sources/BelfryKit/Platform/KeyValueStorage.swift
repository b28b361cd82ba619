public import Foundation

/// Where the library keeps what has to survive the app's process: a few small values by key.
///
/// Functions are called on any thread, and a value that was set is read back by the next call, from another process of
/// the same app too.
public protocol KeyValueStorage: Sendable {
    /// The value of a key; nil when it has none.
    func data(forKey key: String) -> Data?
    /// Sets the value of a key, or removes it with nil. When this returns, the value survives the end of the process.
    ///
    /// - Throws: what the device says when it cannot keep the value; the old one then stays.
    func setData(_ data: Data?, forKey key: String) throws
}
