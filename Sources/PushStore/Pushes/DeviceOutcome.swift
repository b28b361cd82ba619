public import APNs

/// What became of one device of a push; one byte in a batch.
///
/// The numbers are part of the stored format: none is ever changed or used again.
public struct DeviceOutcome: RawRepresentable, Sendable, Hashable {
    /// The stored byte.
    public let rawValue: UInt8

    /// Takes a stored byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It has none yet.
    public static let pending = DeviceOutcome(rawValue: 0)
    /// APNs accepted its notification.
    public static let accepted = DeviceOutcome(rawValue: 1)
    /// Its notification was sent and no answer came.
    public static let unanswered = DeviceOutcome(rawValue: 2)
    /// The push's lifetime ended before its turn.
    public static let expired = DeviceOutcome(rawValue: 3)
    /// The push was cancelled before its turn.
    public static let cancelled = DeviceOutcome(rawValue: 4)
    /// It had received as many pushes as its app allows.
    public static let capped = DeviceOutcome(rawValue: 5)
    /// It was handed on to another batch because of quiet hours; not an outcome of the device.
    public static let moved = DeviceOutcome(rawValue: 6)
    /// It was gone, opted out or without a token when its turn came.
    public static let skipped = DeviceOutcome(rawValue: 7)
    /// What it registered is no device token.
    public static let malformedToken = DeviceOutcome(rawValue: 8)
    /// The app has no credential for its environment, team or name.
    public static let noCredential = DeviceOutcome(rawValue: 9)
    /// APNs could not be reached until the push was given up.
    public static let unreachable = DeviceOutcome(rawValue: 10)
    /// APNs refused it for a reason this version does not know; the batch keeps the text.
    public static let refusedOtherwise = DeviceOutcome(rawValue: 11)
    /// It has seen every article of the digest.
    public static let nothingNew = DeviceOutcome(rawValue: 12)
    /// The text made for it is no notification APNs would take.
    public static let invalidContent = DeviceOutcome(rawValue: 13)
    /// What was stored of its batch could not be read.
    public static let damaged = DeviceOutcome(rawValue: 14)
    /// It came to a time zone where the push's time was past by more than the push may be late.
    public static let zonePassed = DeviceOutcome(rawValue: 15)

    /// APNs' reasons by byte; only ever added to.
    private static let reasons: [(byte: UInt8, reason: Reason)] = [
        (32, "BadCollapseId"), (33, "BadDeviceToken"), (34, "BadExpirationDate"), (35, "BadMessageId"),
        (36, "BadPriority"), (37, "BadTopic"), (38, "DeviceTokenNotForTopic"), (39, "DuplicateHeaders"),
        (40, "IdleTimeout"), (41, "InvalidPushType"), (42, "MissingDeviceToken"), (43, "MissingTopic"),
        (44, "PayloadEmpty"), (45, "TopicDisallowed"), (46, "BadCertificate"),
        (47, "BadCertificateEnvironment"), (48, "ExpiredProviderToken"), (49, "Forbidden"),
        (50, "InvalidProviderToken"), (51, "MissingProviderToken"), (52, "UnrelatedKeyIdInToken"),
        (53, "BadEnvironmentKeyIdInToken"), (54, "BadPath"), (55, "MethodNotAllowed"), (56, "ExpiredToken"),
        (57, "Unregistered"), (58, "PayloadTooLarge"), (59, "TooManyProviderTokenUpdates"),
        (60, "TooManyRequests"), (61, "InternalServerError"), (62, "ServiceUnavailable"), (63, "Shutdown"),
    ].map { ($0.0, Reason($0.1)) }

    private static let bytesByReason = Dictionary(
        uniqueKeysWithValues: reasons.map { ($0.reason.text, DeviceOutcome(rawValue: $0.byte)) })
    private static let reasonsByByte = Dictionary(
        uniqueKeysWithValues: reasons.map { ($0.byte, $0.reason) })

    /// The outcome of a refusal.
    public init(refusedFor reason: Reason) {
        self = Self.bytesByReason[reason.text] ?? .refusedOtherwise
    }

    /// Why APNs refused it; nil when it did not, or for a reason this version does not know.
    public var reason: Reason? { Self.reasonsByByte[rawValue] }

    /// Whether it belongs to a device; what was moved is counted where it went.
    public var isDevice: Bool { self != .moved }

    /// Whether APNs called the token bad or gone.
    public var isInvalidToken: Bool {
        switch rawValue {
        case 8, 33, 38, 56, 57: true
        default: false
        }
    }

    /// The outcome's name in records and metrics: APNs' reason where there is one.
    public var name: String {
        if let reason { return reason.text }
        return switch self {
        case .pending: "pending"
        case .accepted: "accepted"
        case .unanswered: "unanswered"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .capped: "frequencyCapped"
        case .moved: "deferred"
        case .skipped: "skipped"
        case .malformedToken: "malformedToken"
        case .noCredential: "noCredential"
        case .unreachable: "unreachable"
        case .nothingNew: "nothingNew"
        case .invalidContent: "invalidContent"
        case .damaged: "damaged"
        case .zonePassed: "zonePassed"
        default: "refused"
        }
    }
}
