/// What the faults in force do to one request.
package struct FaultDraw: Hashable, Sendable {
    /// What happens instead of an answer to an unharmed request; nil for nothing.
    package var interference: Interference?
    /// How late the answer is, in milliseconds.
    package var latencyMilliseconds = 0
    /// The stream limit to impose after the answer; nil for none.
    package var maxConcurrentStreams: Int?

    /// For how many requests an imposed stream limit lasts.
    package static let limitedRequests = 50

    /// What happens to a request instead of being processed.
    package enum Interference: Hashable, Sendable {
        /// Refused instead of accepted; a request that is wrong in itself gets its own refusal.
        case reject(Rejection)
        /// The connection ends; the request is above the last processed stream.
        case goAway(GoAway)
        /// The stream is reset.
        case reset(errorCode: UInt32)
        /// Never answered.
        case silence
        /// The connection is cut.
        case drop
    }

    /// Makes a draw without faults.
    package init() {}

    /// The refusal to hand to the validator.
    package var rejection: Rejection? {
        guard case .reject(let rejection) = interference else { return nil }
        return rejection
    }
}
