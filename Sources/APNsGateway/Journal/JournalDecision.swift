/// What the gateway did with a request, and for accepted pushes what became of them at once.
///
/// From Apple: Viewing the status of push notifications using Metrics and APNs, for the delivery flow.
package enum JournalDecision: UInt8, CaseIterable, Sendable {
    /// Refused: the request or its credential was wrong.
    case refused
    /// Refused by the state of its device token.
    case refusedByToken
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
    /// Accepted and sent to the device.
    case delivered
    /// Accepted and kept for a device that is away.
    case stored
    /// Accepted and kept in place of an older notification.
    case storedReplacingOlder
    /// Accepted and dropped: the device is away and the notification must not be kept.
    case droppedNotStored
    /// Accepted and dropped: expired before it could be delivered.
    case droppedExpired
    /// Accepted and dropped: notifications are off for the app, or the app is gone.
    case droppedDisabled
    /// A channel was made, read, listed or deleted, or a broadcast published.
    case done
}
