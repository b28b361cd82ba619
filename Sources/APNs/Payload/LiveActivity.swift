/// The start, an update or the end of a Live Activity: keys of aps for the push type liveactivity.
///
/// From Apple: Starting and updating Live Activities with ActivityKit push notifications. Times are seconds
/// since 1970.
public struct LiveActivity: Hashable, Sendable {
    /// What happens to the activity.
    public var event: Event
    /// When the notification was made, in seconds since 1970; the device lets the newest win.
    public var timestamp: Int64
    /// The activity's dynamic content, which the app decodes with its default strategies.
    public var contentState: [String: JSONValue]?
    /// When the content becomes stale, in seconds since 1970.
    public var staleDate: Int64?
    /// What to show beside the update; a start needs one.
    public var alert: Alert?

    /// Makes an event from its parts.
    public init(
        event: Event, timestamp: Int64, contentState: [String: JSONValue]? = nil, staleDate: Int64? = nil,
        alert: Alert? = nil
    ) {
        self.event = event
        self.timestamp = timestamp
        self.contentState = contentState
        self.staleDate = staleDate
        self.alert = alert
    }
}

extension LiveActivity {
    /// What happens to an activity.
    public enum Event: Hashable, Sendable {
        /// The activity starts (iOS 17.2 and later); cannot be broadcast.
        case start(Start)
        /// Its content changes.
        case update
        /// It ends, and leaves the Lock Screen at the given second since 1970, or after up to four hours.
        case end(dismissalDate: Int64? = nil)

        /// The value of the key event.
        public var name: String {
            switch self {
            case .start: "start"
            case .update: "update"
            case .end: "end"
            }
        }
    }

    /// What only the start of an activity has.
    public struct Start: Hashable, Sendable {
        /// The name of the app's ActivityAttributes type.
        public var attributesType: String
        /// The activity's static content.
        public var attributes: [String: JSONValue]
        /// How updates will reach the activity; nil leaves it to the app; needs iOS 18.
        public var input: Input?

        /// Makes a start from its parts.
        public init(attributesType: String, attributes: [String: JSONValue], input: Input? = nil) {
            self.attributesType = attributesType
            self.attributes = attributes
            self.input = input
        }
    }

    /// How updates reach an activity that a notification started.
    public enum Input: Hashable, Sendable {
        /// Broadcasts on this channel (input-push-channel).
        case channel(ChannelID)
        /// Notifications to a token of its own (input-push-token).
        case token
    }

    /// An alert of a Live Activity: its texts may be objects, and the sound stands inside.
    public struct Alert: Hashable, Sendable {
        /// A text, literal or from the app's strings.
        public enum Text: Hashable, Sendable {
            /// Shown as it is.
            case literal(String)
            /// Looked up in the app's strings.
            case localized(LocalizedText)
        }

        /// The first line.
        public var title: Text?
        /// The message.
        public var body: Text?
        /// The name of the sound.
        public var sound: String?

        /// Makes an alert from its parts.
        public init(title: Text? = nil, body: Text? = nil, sound: String? = nil) {
            self.title = title
            self.body = body
            self.sound = sound
        }
    }
}
