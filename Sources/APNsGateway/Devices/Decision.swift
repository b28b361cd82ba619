package import APNs

/// What became of an accepted push, with a text for the journal.
///
/// The flow of Apple's "Viewing the status of push notifications": discard, deliver, or store.
package enum Decision: Hashable, Sendable {
    /// The device has it; the number counts the device's deliveries.
    case delivered(sequence: Int64)
    /// APNs keeps it until the device can take it, at the latest until the time given.
    case stored(StorageCause, replacing: NotificationID?, untilMilliseconds: Int64)
    /// The device keeps a background push until its budget allows the next one.
    case held(replacing: NotificationID?, untilMilliseconds: Int64)
    /// Nobody will see it.
    case discarded(DiscardCause)
    /// An open gateway accepted a token that no device has.
    case noDevice

    /// Why a push was stored instead of delivered.
    package enum StorageCause: String, Hashable, Sendable {
        case offline = "device offline"
        case powerSaving = "device saves power"
        case inFlight = "an earlier notification is in flight"
    }

    /// Why a push was discarded.
    package enum DiscardCause: Hashable, Sendable {
        /// Its expiration had passed before the device could take it.
        case expired
        /// It allowed one attempt only and the device could not take it.
        case notStorable(StorageCause)
        /// The person switched the app's notifications off.
        case disabled
        /// The push reached the phone and found the app deleted: the token is dead from now on.
        case removalNoticed
        /// The app is deleted; APNs learns it once the push, which it stores, reaches the phone.
        case removalUnnoticed(StorageCause)
        /// The token is dead; APNs does not say so yet.
        case deadToken
        /// A newer notification for the same app took its place in storage.
        case replaced(by: NotificationID)
        /// The app was deleted while it waited.
        case appDeleted
        /// The person forced the app to quit while the device held it.
        case forceQuit
        /// The device was removed from the simulator.
        case deviceForgotten
    }

    /// One line for the journal.
    package var text: String {
        switch self {
        case .delivered: "delivered"
        case .stored(let cause, nil, _): "stored: \(cause.rawValue)"
        case .stored(let cause, let replaced?, _):
            "stored: \(cause.rawValue); replaced stored notification \(replaced.uuidString)"
        case .held(nil, _): "held by the device: background budget used up"
        case .held(let replaced?, _):
            "held by the device: background budget used up; replaced held notification \(replaced.uuidString)"
        case .discarded(let cause): "discarded: \(cause.text)"
        case .noDevice: "accepted: no such device (open gateway)"
        }
    }
}

extension Decision.DiscardCause {
    /// The cause in words.
    package var text: String {
        switch self {
        case .expired: "expired"
        case .notStorable(let cause): "\(cause.rawValue), expiration 0"
        case .disabled: "notifications are off for the app"
        case .removalNoticed: "app deleted, noticed now"
        case .removalUnnoticed(let cause): "app deleted, noticed later: \(cause.rawValue)"
        case .deadToken: "app deleted, 410 follows after the grace period"
        case .replaced(let id): "replaced by \(id.uuidString)"
        case .appDeleted: "app deleted"
        case .forceQuit: "app was forced to quit"
        case .deviceForgotten: "device removed from the simulator"
        }
    }
}

/// What became later of a push that was stored or held.
package struct LateOutcome: Hashable, Sendable {
    /// The apns-id of the push.
    package var id: NotificationID
    /// The gateway's own name for the request.
    package var uniqueID: NotificationID
    /// The decision.
    package var decision: Decision
    /// When it fell, in milliseconds since 1970.
    package var atMilliseconds: Int64
}
