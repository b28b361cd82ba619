/// What the owner of an HTTP/2 connection is told; every call is made on the connection's loop.
///
/// Calls come in batches, once for each read from the socket, and never from inside the protocol
/// engine: a handler may answer, open streams or close at will. What it writes is sent when it returns.
public protocol HTTP2ConnectionHandler: AnyObject {
    /// TLS stands; the settings of the first SETTINGS frame may still be changed, such as by what the
    /// peer's certificate says.
    func connection(_ connection: HTTP2Connection, willStartWith settings: HTTP2Settings) -> HTTP2Settings

    /// TLS stands and the peer's first SETTINGS have come.
    func connectionReady(_ connection: HTTP2Connection)

    /// Server: requests received whole. Client: streams that ended, answered or not.
    ///
    /// A stream is valid until it has ended (server) or until the call returns (client).
    func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream])

    /// Server: the peer gave up requests that were not answered yet.
    func connection(_ connection: HTTP2Connection, abandoned streams: [HTTP2Stream])

    /// The peer changed its SETTINGS, such as how many streams may be open.
    func connectionChangedSettings(_ connection: HTTP2Connection)

    /// The peer takes no more streams above an id; those above it that were open end as refused.
    func connection(_ connection: HTTP2Connection, receivedGoAway goAway: HTTP2GoAway)

    /// Queued bytes went out and there is room for more.
    func connectionHasRoom(_ connection: HTTP2Connection)

    /// Once in a while, about once a second or more often as timeouts require.
    func connectionTicked(_ connection: HTTP2Connection, nowMilliseconds: UInt64)

    /// The connection is over; nothing follows. Open streams of a client were reported before.
    func connectionClosed(_ connection: HTTP2Connection, error: TransportError?)
}

extension HTTP2ConnectionHandler {
    /// By default nothing follows.
    public func connection(
        _ connection: HTTP2Connection, willStartWith settings: HTTP2Settings
    ) -> HTTP2Settings { settings }
    /// By default nothing follows.
    public func connection(_ connection: HTTP2Connection, abandoned streams: [HTTP2Stream]) {}
    /// By default nothing follows.
    public func connectionChangedSettings(_ connection: HTTP2Connection) {}
    /// By default nothing follows.
    public func connection(_ connection: HTTP2Connection, receivedGoAway goAway: HTTP2GoAway) {}
    /// By default nothing follows.
    public func connectionHasRoom(_ connection: HTTP2Connection) {}
    /// By default nothing follows.
    public func connectionTicked(_ connection: HTTP2Connection, nowMilliseconds: UInt64) {}
}

/// A GOAWAY frame that came in (RFC 9113 §6.8).
public struct HTTP2GoAway: Sendable, Hashable {
    /// Streams above this id were not processed.
    public var lastStreamID: Int32
    /// Why the peer goes.
    public var errorCode: HTTP2ErrorCode
    /// What the peer added; APNs sends a JSON object with a reason, or nothing.
    public var debugData: [UInt8]
}
