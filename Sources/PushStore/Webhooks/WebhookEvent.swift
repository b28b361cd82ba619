public import APNs
public import Recurrence

/// Something that happened in an app, which its webhooks are told.
public struct WebhookEvent: Sendable, Hashable {
    /// What happened; the raw values are part of the contract with receivers.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Every device of a push has its outcome.
        case pushDone = "push.done"
        /// APNs called a device token gone, and its installation was removed or cleared.
        case tokenGone = "token.gone"
        /// A user opened a push.
        case open
    }

    /// What happened.
    public var kind: Kind
    /// The event's own fields, as receivers get them under `data`.
    public var data: [String: JSONValue]

    /// Makes an event of any fields.
    public init(kind: Kind, data: [String: JSONValue]) {
        self.kind = kind
        self.data = data
    }

    /// A push has ended.
    ///
    /// - Parameters:
    ///   - objectID: of the push's record.
    ///   - deviceCount: devices that matched and were valid.
    ///   - successCount: notifications APNs accepted.
    ///   - invalidTokenCount: tokens APNs called bad or gone.
    ///   - errors: what went wrong with the push as a whole.
    public static func pushDone(
        objectID: String, notificationID: String? = nil, status: String, deviceCount: Int, successCount: Int,
        invalidTokenCount: Int, errors: String? = nil
    ) -> WebhookEvent {
        var data: [String: JSONValue] = [
            "objectId": .string(objectID), "status": .string(status), "devices": .integer(Int64(deviceCount)),
            "successes": .integer(Int64(successCount)), "invalidTokens": .integer(Int64(invalidTokenCount)),
        ]
        data["notificationId"] = notificationID.map(JSONValue.string)
        data["errors"] = errors.map(JSONValue.string)
        return WebhookEvent(kind: .pushDone, data: data)
    }

    /// A device token is gone.
    ///
    /// - Parameters:
    ///   - objectID: of the installation.
    ///   - reason: APNs' reason.
    ///   - at: since when, as APNs says.
    public static func tokenGone(
        objectID: String, deviceToken: String, reason: String, at: Instant
    ) -> WebhookEvent {
        WebhookEvent(
            kind: .tokenGone,
            data: [
                "objectId": .string(objectID), "deviceToken": .string(deviceToken),
                "reason": .string(reason), "at": .string(at.iso8601),
            ])
    }

    /// A push was opened.
    ///
    /// - Parameters:
    ///   - pushID: of the push's record.
    ///   - installationID: the installation's objectId; nil when the event did not say.
    public static func opened(pushID: String, installationID: String?, at: Instant) -> WebhookEvent {
        var data: [String: JSONValue] = ["push": .string(pushID), "at": .string(at.iso8601)]
        data["installation"] = installationID.map(JSONValue.string)
        return WebhookEvent(kind: .open, data: data)
    }
}
