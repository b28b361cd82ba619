internal import FoundationEssentials

/// Something that is done to a phone, as a command line and the HTTP API name it.
///
/// JSON is `{"action": "tap", "notification": 3}`; a line is `tap 3`.
public struct PhoneAction: Hashable, Sendable, Codable {
    /// What is done.
    public enum Name: String, CaseIterable, Hashable, Sendable, Codable {
        /// Taps a notification.
        case tap
        /// Presses a button of a notification: `value` names it, `text` is what is written.
        case act
        /// Writes a text with a notification's first button that takes one: `text`.
        case reply
        /// Clears a notification from the list.
        case dismiss
        /// Flicks a banner away.
        case flick
        /// Clears the whole list.
        case clear
        /// Keeps, or turns off, an app's quiet notifications.
        case keep
        case turnOff = "turn-off"
        /// Answers the question on the screen.
        case allow
        case deny
        /// Opens an app.
        case open
        /// Goes to the home screen.
        case home
        /// Swipes an app away; the system ends it; it crashes.
        case quit
        case terminate
        case crash
        /// Deletes an app and installs it again.
        case reinstall
        /// Lets an app work in the background.
        case refresh
        /// The phone: `value` is on or off.
        case lock
        case unlock
        case airplane
        case power
        case mute
        case focus
        case reboot
        /// The switch of an app in Settings: `value` is on or off; or a part of it: `banners off`, `sounds off`,
        /// `badges off`, `lock-screen off`, `list off`.
        case settings
        /// `value` is a zone, or a language.
        case zone
        case language
        /// Moves the clock: `value` is a length such as 90s, 15m, 2h, 1d; or a time of day such as 09:00.
        case advance
        /// Delivers a push: `payload` is the `.apns` file.
        case push
    }

    /// What is done.
    public var action: Name
    /// The number of the notification it is done to; without one, the newest that is shown.
    public var notification: Int?
    /// The bundle identifier of the app it is done to; without one, the only one or the one in front.
    public var app: String?
    /// The rest: a button, on or off, a zone, a time.
    public var value: String?
    /// What is written.
    public var text: String?
    /// The text of an `.apns` file.
    public var payload: String?

    /// Makes an action.
    public init(
        _ action: Name, notification: Int? = nil, app: String? = nil, value: String? = nil,
        text: String? = nil, payload: String? = nil
    ) {
        self.action = action
        self.notification = notification
        self.app = app
        self.value = value
        self.text = text
        self.payload = payload
    }

    /// Reads the line of a command: `tap 3`, `act 3 read`, `reply 3 on my way`, `airplane on`, `settings banners off`.
    ///
    /// - Throws: `value` that names what is allowed.
    public init(line: String) throws(PhoneError) {
        var words = line.split(separator: " ").map(String.init)[...]
        guard let word = words.popFirst(), let name = Name(rawValue: Self.synonyms[word] ?? word) else {
            throw PhoneError(
                .value,
                "found \"\(line.prefix(60))\", allowed: "
                    + Name.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self.init(name)
        switch name {
        case .tap, .dismiss, .flick: notification = try Self.number(&words)
        case .act:
            notification = Self.numberIfAny(&words)
            value = words.popFirst()
            text = Self.rest(words)
            words = []
        case .reply:
            notification = Self.numberIfAny(&words)
            text = Self.rest(words)
            words = []
        case .open, .quit, .terminate, .crash, .reinstall, .refresh, .keep, .turnOff: app = words.popFirst()
        default:
            value = Self.rest(words)
            words = []
        }
        guard words.isEmpty else {
            throw PhoneError(
                .value, "\(name.rawValue): found \"\(words.joined(separator: " ").prefix(60))\" too much")
        }
    }

    private static let synonyms = [
        "launch": "open", "clear-all": "clear", "button": "act", "low-power": "power",
    ]

    private static func number(_ words: inout ArraySlice<String>) throws(PhoneError) -> Int? {
        guard let word = words.first else { return nil }
        guard let number = Int(word.hasPrefix("#") ? String(word.dropFirst()) : word) else {
            throw PhoneError(
                .value, "found \"\(word.prefix(40))\", allowed: the number of a notification")
        }
        words.removeFirst()
        return number
    }

    /// The number at the front of a text, if it begins with one.
    private static func numberIfAny(_ words: inout ArraySlice<String>) -> Int? {
        guard let number = try? number(&words) else { return nil }
        return number
    }

    private static func rest(_ words: ArraySlice<String>) -> String? {
        words.isEmpty ? nil : words.joined(separator: " ")
    }
}
