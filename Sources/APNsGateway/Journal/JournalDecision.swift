/// What the gateway did with a request, and for accepted pushes what became of them.
///
/// The flow after acceptance is Apple's: Viewing the status of push notifications using Metrics and APNs.
package enum JournalDecision: UInt8, CaseIterable, Sendable {
    /// Refused: the request or its credential was wrong.
    case refused
    /// Refused: the device token is no token at all.
    case refusedMalformedToken
    /// Refused: no device has the token.
    case refusedUnknownToken
    /// Refused: the token belongs to the other environment.
    case refusedOtherEnvironment
    /// Refused: the token belongs to another topic.
    case refusedOtherTopic
    /// Refused: the token is dead, its app was deleted or it ran out.
    case refusedDeadToken
    /// Refused: too many pushes for the token in a row.
    case refusedRate
    /// Refused because its device token is a test token.
    case testToken
    /// Refused by a fault that somebody asked for.
    case faultReason
    /// Not processed; the connection ended by a fault with GOAWAY.
    case faultGoAway
    /// Not processed; the stream was reset by a fault.
    case faultReset
    /// Not processed and not answered, by a fault.
    case faultSilence
    /// Not processed; the connection was cut by a fault.
    case faultDrop
    /// Accepted for a token that no device has, by an open gateway.
    case acceptedWithoutDevice
    /// Delivered to the device.
    case delivered
    /// Kept for a device that is offline.
    case storedOffline
    /// Kept for a device that saves power.
    case storedPowerSaving
    /// Kept while an earlier notification is in flight to the device.
    case storedInFlight
    /// Held by the device until its budget for background pushes allows the next one.
    case held
    /// Dropped: expired before the device could take it.
    case droppedExpired
    /// Dropped: the device could not take it and it must not be kept.
    case droppedNotStorable
    /// Dropped: the person switched the app's notifications off.
    case droppedDisabled
    /// Dropped: it found the app deleted, or the token dead already.
    case droppedAppDeleted
    /// Dropped: a newer one for the same app took its place in storage.
    case droppedReplaced
    /// Dropped on the device: the person forced the app to quit, or the device was removed.
    case droppedOnDevice
    /// A channel was made, read, listed or deleted, or a broadcast published.
    case done

    /// One line for people.
    package var text: String {
        switch self {
        case .refused: "refused"
        case .refusedMalformedToken: "refused: the device token is not 1 to 100 bytes in hexadecimal digits"
        case .refusedUnknownToken: "refused: no device has this token"
        case .refusedOtherEnvironment: "refused: the token belongs to the other environment"
        case .refusedOtherTopic: "refused: the token belongs to another topic"
        case .refusedDeadToken: "refused: the token is dead"
        case .refusedRate: "refused: too many pushes for this token in a row"
        case .testToken: "refused: test token"
        case .faultReason: "refused by a fault that was asked for"
        case .faultGoAway: "not processed: GOAWAY by a fault that was asked for"
        case .faultReset: "not processed: stream reset by a fault that was asked for"
        case .faultSilence: "not processed, not answered: a fault that was asked for"
        case .faultDrop: "not processed: connection cut by a fault that was asked for"
        case .acceptedWithoutDevice: "accepted: no such device (open gateway)"
        case .delivered: "delivered"
        case .storedOffline: "stored: device offline"
        case .storedPowerSaving: "stored: device saves power"
        case .storedInFlight: "stored: an earlier notification is in flight"
        case .held: "held by the device: background budget used up"
        case .droppedExpired: "dropped: expired"
        case .droppedNotStorable: "dropped: the device could not take it and it must not be stored"
        case .droppedDisabled: "dropped: notifications are off for the app"
        case .droppedAppDeleted: "dropped: the app is deleted"
        case .droppedReplaced: "dropped: a newer notification took its place in storage"
        case .droppedOnDevice: "dropped on the device"
        case .done: "done"
        }
    }
}
