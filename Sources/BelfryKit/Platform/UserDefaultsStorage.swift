public import Foundation

/// Values in the app's user defaults, or in those of its group.
///
/// Sendable: `UserDefaults` may be used on any thread (Apple: UserDefaults), and the reference never changes.
public final class UserDefaultsStorage: KeyValueStorage, @unchecked Sendable {
    private let defaults: UserDefaults

    /// Makes a storage in the app's own defaults.
    public convenience init() {
        self.init(defaults: .standard)
    }

    /// Makes a storage that an app and its extensions share.
    ///
    /// - Returns: nil for a group that the app is not a member of.
    public convenience init?(applicationGroup: String) {
        guard let defaults = UserDefaults(suiteName: applicationGroup) else { return nil }
        self.init(defaults: defaults)
    }

    private init(defaults: UserDefaults) {
        self.defaults = defaults
    }

    /// The value of a key; nil when it has none.
    public func data(forKey key: String) -> Data? { defaults.data(forKey: key) }

    /// Sets the value of a key, or removes it with nil.
    public func setData(_ data: Data?, forKey key: String) {
        if let data {
            defaults.set(data, forKey: key)
        } else {
            defaults.removeObject(forKey: key)
        }
    }
}
