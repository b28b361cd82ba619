/// The name of a sound file in the app.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The file's name.
    public var rawValue: String

    /// Makes a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
}
