/// What a notification shows: the key alert of aps.
public enum Alert: Hashable, Sendable {
    /// The body alone, written as a JSON string.
    case text(String)
    /// Title, body and the rest, written as an object.
    case content(Content)

    /// An alert with a literal title and body.
    public static func content(title: String? = nil, subtitle: String? = nil, body: String? = nil) -> Alert {
        .content(Content(title: title, subtitle: subtitle, body: body))
    }

    /// The literal body, if there is one.
    public var body: String? {
        get {
            switch self {
            case .text(let text): text
            case .content(let content): content.body
            }
        }
        set {
            switch self {
            case .text: self = .text(newValue ?? "")
            case .content(var content):
                content.body = newValue
                self = .content(content)
            }
        }
    }
}

extension Alert {
    /// The object form of an alert.
    ///
    /// Keys from Apple: Generating a remote notification. Where a text is given both literally and localized,
    /// the device shows the localized one.
    public struct Content: Hashable, Sendable {
        /// The first line.
        public var title: String?
        /// The first line, from the app's strings (title-loc-key, title-loc-args).
        public var localizedTitle: LocalizedText?
        /// The second line.
        public var subtitle: String?
        /// The second line, from the app's strings (subtitle-loc-key, subtitle-loc-args).
        public var localizedSubtitle: LocalizedText?
        /// The message.
        public var body: String?
        /// The message, from the app's strings (loc-key, loc-args).
        public var localizedBody: LocalizedText?
        /// The launch image or storyboard shown when the user opens the app from the notification.
        public var launchImage: String?
        /// The title of the action button; Safari website pushes only.
        public var action: String?
        /// The title of the action button from the app's strings; older systems only.
        public var actionLocalizationKey: String?

        /// Makes an alert of literal texts.
        public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
            self.title = title
            self.subtitle = subtitle
            self.body = body
        }
    }
}
