internal import APNs

/// The keys of an alert, and what belongs together among them.
///
/// Apple: Generating a remote notification; `action-loc-key` and the like from LeanCloud: push guide.
enum AlertField {
    /// Keys whose text may be given for a language, alone or as `title-fr`.
    static let texts = ["title", "subtitle", "body"]

    /// Keys whose value is a text.
    static let strings: Set<String> = [
        "title", "title-loc-key", "subtitle", "subtitle-loc-key", "body", "loc-key", "action",
        "action-loc-key", "launch-image", "summary-arg",
    ]

    /// Keys whose value is a list of texts.
    static let lists: Set<String> = ["title-loc-args", "subtitle-loc-args", "loc-args"]

    /// Whether a value names a file or a string of the app, and is never shown itself.
    static func isName(_ key: String) -> Bool {
        switch key {
        case "loc-key", "title-loc-key", "subtitle-loc-key", "action-loc-key", "launch-image", "sound": true
        default: false
        }
    }

    /// The keys by which the device would replace a literal text with one of the app's strings.
    static func localization(of text: String) -> [String] {
        text == "body" ? ["loc-key", "loc-args"] : ["\(text)-loc-key", "\(text)-loc-args"]
    }
}
