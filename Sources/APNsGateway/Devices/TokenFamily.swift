package import APNs

/// Which of an app's tokens a token is; each family is a space of its own and has its own topic.
///
/// Apple: Registering your app with APNs; PushKit; ActivityKit; WidgetKit.
package enum TokenFamily: String, CaseIterable, Hashable, Sendable {
    /// The token of `registerForRemoteNotifications`, for alert, background and mdm pushes.
    case app
    case voip
    case complication
    case fileprovider
    case location
    /// Valid while the person is in one channel.
    case pushtotalk
    /// Starts Live Activities.
    case liveactivityStart = "liveactivity-start"
    /// Updates one Live Activity.
    case liveactivity
    case widgets
    /// One token for each control.
    case controls

    /// The push type whose suffix the family's topic has.
    package var pushType: PushType {
        switch self {
        case .app: .alert
        case .voip: .voip
        case .complication: .complication
        case .fileprovider: .fileprovider
        case .location: .location
        case .pushtotalk: .pushtotalk
        case .liveactivityStart, .liveactivity: .liveactivity
        case .widgets: .widgets
        case .controls: .controls
        }
    }

    /// Whether the app asks for the token again by itself after it was installed anew.
    package var outlivesReinstall: Bool {
        switch self {
        case .pushtotalk, .liveactivity, .controls: false
        default: true
        }
    }

    /// The usual family of a topic with this suffix.
    package init(topic: Topic) {
        let pushType = topic.suffixedPushType
        self = TokenFamily.allCases.first { $0 != .liveactivityStart && $0.pushType == pushType } ?? .app
    }

    /// Whether a topic ends as the family needs.
    package func fits(_ topic: Topic) -> Bool { topic.fits(pushType) }
}
