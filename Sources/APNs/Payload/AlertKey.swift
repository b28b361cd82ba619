/// The keys Apple documents inside alert, and those that older systems knew.
///
/// From Apple: Generating a remote notification.
enum AlertKey: String, CaseIterable {
    case title
    case subtitle
    case body
    case launchImage = "launch-image"
    case titleLocalizationKey = "title-loc-key"
    case titleLocalizationArguments = "title-loc-args"
    case subtitleLocalizationKey = "subtitle-loc-key"
    case subtitleLocalizationArguments = "subtitle-loc-args"
    case bodyLocalizationKey = "loc-key"
    case bodyLocalizationArguments = "loc-args"
    case action
    case actionLocalizationKey = "action-loc-key"
    case summaryArgument = "summary-arg"
    case summaryArgumentCount = "summary-arg-count"

    /// Whether only systems before iOS 15 read the key.
    var isObsolete: Bool { self == .summaryArgument || self == .summaryArgumentCount }

    static func isKnown(_ key: String) -> Bool { AlertKey(rawValue: key) != nil }
}
