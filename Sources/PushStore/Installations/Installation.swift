public import APNs
public import Recurrence

/// One app on one device: LeanCloud's `_Installation`.
///
/// The fields LeanCloud gives a meaning are properties; everything else the customer stored is in
/// ``attributes``.
public struct Installation: Sendable, Hashable {
    /// The store's own number, never used again after the row is gone; audiences are walked in its order.
    public var number: Int64
    /// 24 hexadecimal digits for rows made here; imported rows keep theirs.
    public var objectID: String
    /// When the row was made.
    public var createdAt: Instant
    /// When it was last saved.
    public var updatedAt: Instant
    /// `ios`, `macos`, `tvos`, `watchos`; others are stored and never sent to.
    public var deviceType: String?
    /// As the client sent it, in lower case; may be no token APNs would take.
    public var deviceToken: String?
    /// The id the client's SDK made for itself.
    public var installationID: String?
    /// The topic to send under; the app's own when nil.
    public var apnsTopic: String?
    /// The team whose credential to send with; any when nil.
    public var apnsTeamID: String?
    /// The credential to send with, by name; any unnamed one when nil.
    public var deviceProfile: String?
    /// IANA name of the device's zone.
    public var timeZone: String?
    /// The language the device is set to, as BCP 47 or with `_`: `localeIdentifier`, else `language`.
    public var locale: String?
    /// The number on the icon.
    public var badge: Int64
    /// Sorted, without repeats.
    public var channels: [String]
    /// Whether the device may be sent to.
    public var isValid: Bool
    /// Where the token belongs, if that is known.
    public var environment: Environment?
    /// When the client last registered the token; compared with the time APNs sends with 410.
    public var tokenRegisteredAt: Instant?
    /// When the device last came into another zone; nil while it is in its first.
    public var zoneChangedAt: Instant?
    /// The customer's own fields.
    public var attributes: [String: JSONValue]

    /// Makes an empty row.
    public init(number: Int64, objectID: String, createdAt: Instant, updatedAt: Instant) {
        self.number = number
        self.objectID = objectID
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        badge = 0
        channels = []
        isValid = true
        attributes = [:]
    }
}
