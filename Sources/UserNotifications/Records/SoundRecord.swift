/// What a notification plays.
package struct SoundRecord: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        case notification, ringtone, critical
    }

    package var kind: Kind
    /// A file of the app; nil for the system's sound.
    package var name: String?
    /// 0 to 1, for critical sounds only.
    package var volume: Float?

    package init(_ kind: Kind, name: String? = nil, volume: Float? = nil) {
        self.kind = kind
        self.name = name
        self.volume = volume
    }
}
