/// What a save did.
public struct SavedInstallation: Sendable, Hashable {
    /// The row as it is now.
    public var installation: Installation
    /// Whether it is new.
    public var wasCreated: Bool
    /// The keys whose values the change set or computed, for `fetchWhenSave` and `batch/save`.
    public var changedKeys: Set<String>

    /// Makes a result.
    public init(installation: Installation, wasCreated: Bool, changedKeys: Set<String>) {
        self.installation = installation
        self.wasCreated = wasCreated
        self.changedKeys = changedKeys
    }
}
