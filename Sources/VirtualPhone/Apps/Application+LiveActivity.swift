public import APNs
public import Recurrence

/// Live Activities of a running app, as ActivityKit gives them.
extension Application {
    /// The app's activities that are on the lock screen.
    public var liveActivities: [PhoneLiveActivity] {
        phone?.liveActivities(of: manifest.bundleIdentifier) ?? []
    }

    /// Asks for the token with which pushes start activities; it comes to
    /// `application(_:didUpdateLiveActivityStartToken:)` (ActivityKit: `pushToStartTokenUpdates`).
    public func registerForLiveActivityStarts() {
        phone?.registerForLiveActivityStarts(manifest.bundleIdentifier)
    }

    /// Starts an activity; the token of its updates comes to `application(_:didUpdateToken:ofLiveActivity:)`.
    ///
    /// - Parameters:
    ///   - attributesType: the name of the app's type of attributes.
    ///   - attributes: what never changes about it, a JSON object.
    ///   - contentState: what it shows at first, a JSON object.
    ///   - staleDate: when that becomes stale; nil for never.
    ///   - relevanceScore: its place among others.
    /// - Returns: the activity's identifier.
    /// - Throws: `state` for an app that is not in front, and when the user has turned them off.
    public func startLiveActivity(
        attributesType: String, attributes: JSONValue = [:], contentState: JSONValue,
        staleDate: Instant? = nil,
        relevanceScore: Double = 0
    ) throws(PhoneError) -> String {
        guard let phone else { throw PhoneError(.state, "the app's process has ended") }
        return try phone.startLiveActivity(
            manifest.bundleIdentifier, attributesType: attributesType, attributes: attributes,
            contentState: contentState, staleDate: staleDate, relevanceScore: relevanceScore)
    }

    /// Changes what an activity shows.
    ///
    /// - Throws: `notification` when it is not there.
    public func updateLiveActivity(
        _ identifier: String, contentState: JSONValue, staleDate: Instant? = nil
    ) throws(PhoneError) {
        try phone?.changeLiveActivity(identifier, of: manifest.bundleIdentifier) { board, activity, now in
            board.update(
                activity.id, contentState: contentState, timestamp: now.secondsSince1970,
                staleDate: staleDate?.secondsSince1970, relevanceScore: nil)
        }
    }

    /// Ends an activity.
    ///
    /// - Parameters:
    ///   - identifier: the activity's.
    ///   - contentState: what it shows at last; nil for what it shows now.
    ///   - dismissalDate: when it leaves the lock screen, at most 4 hours later; nil for then; a past date for at once.
    /// - Throws: `notification` when it is not there.
    public func endLiveActivity(
        _ identifier: String, contentState: JSONValue? = nil, dismissalDate: Instant? = nil
    ) throws(PhoneError) {
        try phone?.changeLiveActivity(identifier, of: manifest.bundleIdentifier) { board, activity, now in
            board.end(
                activity.id, contentState: contentState, timestamp: now.secondsSince1970,
                dismissalDate: dismissalDate?.secondsSince1970, at: now)
        }
    }
}
