/// The button of a content extension that plays media.
@nonexhaustive(warn)
public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Hashable, Sendable {
    /// There is none.
    case none = 0
    /// One that stays.
    case `default` = 1
    /// One over the media that goes while they play.
    case overlay = 2
}
