/// The checks of `Lint`; their raw values are stable names for scripts.
public enum LintRule: String, CaseIterable, Hashable, Sendable {
    // The text.

    /// There is no payload.
    case empty
    /// The payload is larger than its push type allows.
    case size
    /// The payload is not UTF-8.
    case encoding
    /// The payload is not JSON, or nests too deeply.
    case json
    /// The payload is JSON, but no object.
    case notObject = "not-object"
    /// A key occurs more than once in its object.
    case repeatedKey = "repeated-key"

    // Keys and types.

    /// The key aps is absent.
    case missingAPS = "missing-aps"
    /// A key looks like one Apple knows, but is written differently.
    case misspeltKey = "misspelt-key"
    /// A key stands in the wrong object.
    case misplacedKey = "misplaced-key"
    /// A key that the system does not know stands where only the system's keys have an effect.
    case unknownKey = "unknown-key"
    /// A key that today's systems ignore.
    case obsoleteKey = "obsolete-key"
    /// A value has a type the system does not read.
    case wrongType = "wrong-type"
    /// A value is null.
    case nullValue = "null-value"
    /// A switch that has no effect as it is.
    case switchOff = "switch-off"

    // Values.

    /// An alert without text.
    case emptyAlert = "empty-alert"
    /// A notification of type alert that neither shows, counts nor plays anything.
    case invisible
    /// Arguments of a localized text without its key.
    case argumentsWithoutKey = "arguments-without-key"
    /// A badge below zero.
    case badgeRange = "badge-range"
    /// A sound object that is not the one of critical alerts.
    case soundShape = "sound-shape"
    /// A volume outside 0 to 1.
    case volumeRange = "volume-range"
    /// An interruption level that does not exist.
    case interruptionLevel = "interruption-level"
    /// A relevance score outside 0 to 1.
    case relevanceRange = "relevance-range"
    /// A mutable notification that no service extension will see.
    case mutableWithoutAlert = "mutable-without-alert"
    /// A key that belongs into simulator files.
    case simulatorKey = "simulator-key"
    /// A simulator file's target that is absent or no bundle identifier.
    case simulatorTarget = "simulator-target"

    // Live Activities, widgets and controls.

    /// The event of a Live Activity is absent or unknown.
    case event
    /// A part a Live Activity's event needs is absent.
    case missingPart = "missing-part"
    /// A part that a Live Activity's event ignores.
    case needlessPart = "needless-part"
    /// An instant that cannot be seconds since 1970.
    case instant
    /// A channel identifier that is not base64.
    case channelID = "channel-id"
    /// A reload of widgets or controls without content-changed.
    case contentChanged = "content-changed"

    // Headers.

    /// The push type is unknown.
    case pushType = "push-type"
    /// The push type is absent.
    case missingPushType = "missing-push-type"
    /// The push type and the payload do not belong together.
    case pushTypeMismatch = "push-type-mismatch"
    /// A background notification with something visible.
    case backgroundVisible = "background-visible"
    /// A background notification whose priority is not 5.
    case backgroundPriority = "background-priority"
    /// The priority does not exist or does not suit the push type.
    case priority
    /// The topic cannot be one.
    case topic
    /// The topic does not end as the push type needs.
    case topicSuffix = "topic-suffix"
    /// The expiration is no number of seconds.
    case expiration
    /// The expiration looks like a duration.
    case relativeExpiration = "relative-expiration"
    /// The expiration has passed.
    case expired
    /// The expiration is later than APNs keeps anything.
    case distantExpiration = "distant-expiration"
    /// The collapse identifier is too long or no header value.
    case collapseID = "collapse-id"
    /// The notification identifier is no UUID.
    case notificationID = "notification-id"
    /// The device token is no hexadecimal text.
    case token
}
