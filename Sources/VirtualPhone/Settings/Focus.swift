/// A Focus: what still disturbs while it is on.
///
/// Time-sensitive notifications come through where an app may send them, critical ones always.
public struct Focus: Hashable, Sendable, Codable {
    /// What the user calls it.
    public var name: String
    /// Bundle identifiers of the apps that are not held back.
    public var allowedApps: Set<String>

    /// Makes a Focus.
    public init(_ name: String = "Do Not Disturb", allowedApps: Set<String> = []) {
        self.name = name
        self.allowedApps = allowedApps
    }
}
