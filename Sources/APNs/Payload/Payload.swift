/// The body of a notification: every aps key Apple documents, and the app's own keys beside it.
///
/// Keys from Apple: Generating a remote notification; Starting and updating Live Activities with ActivityKit
/// push notifications; Updating widgets with WidgetKit push notifications. A payload that is only custom
/// keys, such as the one of mdm, is written without aps.
public struct Payload: Hashable, Sendable {
    /// What is shown.
    public var alert: Alert?
    /// The number on the app's icon; 0 removes it, nil leaves it as it is.
    public var badge: Int?
    /// What is played.
    public var sound: Sound?
    /// The group of notifications this one belongs to (thread-id).
    public var threadID: String?
    /// The identifier of a category the app registered, which brings its actions.
    public var category: String?
    /// Whether the app is woken in the background (content-available).
    public var contentAvailable: Bool
    /// Whether the app's service extension may change the notification first (mutable-content).
    public var mutableContent: Bool
    /// The window to bring forward (target-content-id).
    public var targetContentID: String?
    /// How much the notification may disturb (interruption-level).
    public var interruptionLevel: InterruptionLevel?
    /// How it ranks in a summary, 0 to 1; for Live Activities any number (relevance-score).
    public var relevanceScore: Double?
    /// What the device's Focus filter evaluates (filter-criteria).
    public var filterCriteria: String?
    /// Whether widgets or controls reload (content-changed).
    public var contentChanged: Bool
    /// The values for a Safari website push's URL (url-args).
    public var urlArguments: [String]?
    /// A Live Activity's event; its alert takes the place of the other one.
    public var liveActivity: LiveActivity?
    /// Keys inside aps that this version does not know; devices ignore what they do not know either.
    public var otherAPSKeys: [String: JSONValue]
    /// The app's own keys, beside aps.
    public var custom: [String: JSONValue]

    /// Makes a payload; what is not given is left out.
    public init(
        alert: Alert? = nil, badge: Int? = nil, sound: Sound? = nil, threadID: String? = nil,
        category: String? = nil, contentAvailable: Bool = false, mutableContent: Bool = false,
        targetContentID: String? = nil, interruptionLevel: InterruptionLevel? = nil,
        relevanceScore: Double? = nil, filterCriteria: String? = nil, contentChanged: Bool = false,
        urlArguments: [String]? = nil, liveActivity: LiveActivity? = nil,
        otherAPSKeys: [String: JSONValue] = [:], custom: [String: JSONValue] = [:]
    ) {
        self.alert = alert
        self.badge = badge
        self.sound = sound
        self.threadID = threadID
        self.category = category
        self.contentAvailable = contentAvailable
        self.mutableContent = mutableContent
        self.targetContentID = targetContentID
        self.interruptionLevel = interruptionLevel
        self.relevanceScore = relevanceScore
        self.filterCriteria = filterCriteria
        self.contentChanged = contentChanged
        self.urlArguments = urlArguments
        self.liveActivity = liveActivity
        self.otherAPSKeys = otherAPSKeys
        self.custom = custom
    }

    /// The largest body of a broadcast, in bytes.
    public static let broadcastByteCountMax = 5120

    /// Checks that bytes from elsewhere are a JSON object and gives them back as they are.
    ///
    /// No key is changed, ordered or dropped; whether a device understands them is for `Lint` to say.
    /// - Throws: `invalidJSON` with the place, or `invalidPayload` when the JSON is no object.
    public static func raw(_ json: [UInt8]) throws(APNsError) -> [UInt8] {
        _ = try JSONDocument.check(json)
        guard json.first(where: { $0 > 0x20 }) == 0x7b else {
            throw APNsError(code: .invalidPayload, message: "a payload is a JSON object")
        }
        return json
    }

    /// Checks a body's size against the limit of its push type; nil counts as alert.
    /// - Throws: `payloadTooLarge`.
    public static func checkSize(_ byteCount: Int, pushType: PushType?) throws(APNsError) {
        let limit = (pushType ?? .alert).payloadByteCountMax
        guard byteCount <= limit else { throw tooLarge(byteCount, limit: limit) }
    }

    static func tooLarge(_ byteCount: Int, limit: Int, _ remark: String = "") -> APNsError {
        APNsError(
            code: .payloadTooLarge,
            message: "the payload has \(byteCount) bytes\(remark); at most \(limit) are allowed")
    }
}
