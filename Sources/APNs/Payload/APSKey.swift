/// The keys Apple documents inside aps, and what their values may be.
///
/// From Apple: Generating a remote notification; url-args from Safari website pushes.
enum APSKey: String, CaseIterable {
    case alert
    case badge
    case sound
    case threadID = "thread-id"
    case category
    case contentAvailable = "content-available"
    case mutableContent = "mutable-content"
    case targetContentID = "target-content-id"
    case interruptionLevel = "interruption-level"
    case relevanceScore = "relevance-score"
    case filterCriteria = "filter-criteria"
    case staleDate = "stale-date"
    case contentState = "content-state"
    case timestamp
    case event
    case dismissalDate = "dismissal-date"
    case attributesType = "attributes-type"
    case attributes
    case inputPushChannel = "input-push-channel"
    case inputPushToken = "input-push-token"
    case contentChanged = "content-changed"
    case urlArguments = "url-args"

    static func isKnown(_ key: String) -> Bool { APSKey(rawValue: key) != nil }
}
