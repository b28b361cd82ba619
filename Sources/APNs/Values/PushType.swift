/// What a notification is for: the value of the header apns-push-type.
///
/// Values, topic suffixes and size limits from Apple: Sending notification requests to APNs; widgets and
/// controls from Apple: Updating widgets with WidgetKit push notifications, Updating controls locally and
/// remotely.
public enum PushType: String, CaseIterable, Hashable, Sendable {
    /// Something the user sees or hears.
    case alert
    /// A wake-up of the app without anything visible; its priority is 5.
    case background
    /// A request for the device's location, answered by a location push extension.
    case location
    /// An incoming call, for PushKit.
    case voip
    /// An update of a watch complication, for PushKit.
    case complication
    /// A change announced to a File Provider extension.
    case fileprovider
    /// A wake-up of a managed device by its management server.
    case mdm
    /// The start, an update or the end of a Live Activity.
    case liveactivity
    /// A signal for a Push to Talk channel.
    case pushtotalk
    /// A reload of an app's widgets.
    case widgets
    /// A reload of one control.
    case controls

    /// Reads the header's value, without allocation; the comparison heeds case as APNs does for devices.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        for type in PushType.allCases where type.headerValue.hasBytes(text) {
            self = type
            return
        }
        return nil
    }

    /// Reads the value regardless of case: broadcast requests write LiveActivity.
    public init?(ignoringCase text: String) {
        self.init(rawValue: text.lowercased())
    }

    /// What follows the bundle identifier in the topic; empty for alert, background and mdm.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// The largest request body APNs takes, in bytes: 5120 for voip, else 4096.
    public var payloadByteCountMax: Int { self == .voip ? 5120 : 4096 }

    /// Whether only a provider token, not a certificate, can authorise this type.
    ///
    /// Apple says it of location; the rest are newer types that certificates do not list.
    public var requiresProviderToken: Bool {
        switch self {
        case .location, .pushtotalk, .liveactivity, .widgets, .controls: true
        case .alert, .background, .voip, .complication, .fileprovider, .mdm: false
        }
    }

    /// The header's value as constant bytes.
    package var headerValue: StaticString {
        switch self {
        case .alert: "alert"
        case .background: "background"
        case .location: "location"
        case .voip: "voip"
        case .complication: "complication"
        case .fileprovider: "fileprovider"
        case .mdm: "mdm"
        case .liveactivity: "liveactivity"
        case .pushtotalk: "pushtotalk"
        case .widgets: "widgets"
        case .controls: "controls"
        }
    }
}
