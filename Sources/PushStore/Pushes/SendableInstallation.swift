public import APNs
/// What a sender has to know of one installation.
public struct SendableInstallation: Sendable {
    /// The row's number; 0 for a device token that was given with the push.
    public var number: Int64
    /// Its objectId; empty for a device token that was given with the push.
    public var objectID: String
    /// Its device token as stored.
    public var deviceToken: String
    /// Its device type.
    public var deviceType: String?
    /// Its topic.
    public var apnsTopic: String?
    /// Its team.
    public var apnsTeamID: String?
    /// The name of its credential.
    public var deviceProfile: String?
    /// The environment its token belongs to, where known.
    public var environment: Environment?
    /// Its language.
    public var locale: String?
    /// Its zone.
    public var timeZone: String?
    /// The customer's fields, when they were asked for.
    public var attributes: [String: JSONValue]

    /// Makes a row.
    public init(
        number: Int64, objectID: String, deviceToken: String, deviceType: String? = nil,
        apnsTopic: String? = nil, apnsTeamID: String? = nil, deviceProfile: String? = nil,
        environment: Environment? = nil, locale: String? = nil, timeZone: String? = nil,
        attributes: [String: JSONValue] = [:]
    ) {
        self.number = number
        self.objectID = objectID
        self.deviceToken = deviceToken
        self.deviceType = deviceType
        self.apnsTopic = apnsTopic
        self.apnsTeamID = apnsTeamID
        self.deviceProfile = deviceProfile
        self.environment = environment
        self.locale = locale
        self.timeZone = timeZone
        self.attributes = attributes
    }
}
