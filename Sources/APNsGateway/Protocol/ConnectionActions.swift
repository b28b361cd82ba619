package import APNs

/// What a connection has to do after an event; nothing by default.
package struct ConnectionActions: Hashable, Sendable {
    /// A new SETTINGS_MAX_CONCURRENT_STREAMS to send.
    package var maxConcurrentStreams: Int?
    /// A GOAWAY frame to send after the responses so far; open streams finish.
    package var goAway: GoAway?
    /// Whether to send a PING frame.
    package var sendsPing = false

    /// Nothing to do.
    package static let none = ConnectionActions()

    /// Makes a set of actions.
    package init(maxConcurrentStreams: Int? = nil, goAway: GoAway? = nil, sendsPing: Bool = false) {
        self.maxConcurrentStreams = maxConcurrentStreams
        self.goAway = goAway
        self.sendsPing = sendsPing
    }

    /// Adds what a later event asks for, so that a whole batch of requests is followed by one set.
    package mutating func merge(_ later: ConnectionActions) {
        maxConcurrentStreams = later.maxConcurrentStreams ?? maxConcurrentStreams
        goAway = goAway ?? later.goAway
        sendsPing = sendsPing || later.sendsPing
    }
}

/// The end of a connection, announced by GOAWAY whose debug data is `{"reason": …}`.
package struct GoAway: Hashable, Sendable {
    /// Why the connection ends.
    package let reason: Reason
    /// The HTTP/2 error code.
    ///
    /// Apple documents none: 0, NO_ERROR, unless a fault asks for another.
    package let errorCode: UInt32

    /// Makes the end of a connection.
    package init(_ reason: Reason, errorCode: UInt32 = 0) {
        self.reason = reason
        self.errorCode = errorCode
    }
}
