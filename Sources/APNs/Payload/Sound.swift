/// What a notification plays: the key sound of aps.
public enum Sound: Hashable, Sendable {
    /// A file of the app, or the system's sound under the name default.
    case named(String)
    /// A critical alert, which plays in spite of Do Not Disturb and the ring switch.
    ///
    /// The name as above; the volume from 0 to 1, nil leaving it out. The app needs an entitlement.
    case critical(name: String, volume: Double? = nil)

    /// The system's sound.
    public static let `default` = Sound.named("default")
}
