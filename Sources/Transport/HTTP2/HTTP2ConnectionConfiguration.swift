/// How an HTTP/2 connection behaves over time.
public struct HTTP2ConnectionConfiguration: Sendable {
    /// What this end allows the peer.
    public var settings: HTTP2Settings
    /// For name resolution, connecting, and a proxy's tunnel, all addresses together.
    public var connectTimeout: Duration
    /// From the TCP connection to the peer's first SETTINGS.
    public var handshakeTimeout: Duration
    /// Server: from a request's first byte to its last, and again from its answer to the answer's end.
    public var requestTimeout: Duration
    /// For a peer that reads nothing while bytes wait for it, or while the connection closes.
    public var stallTimeout: Duration
    /// Silence after which an idle peer is pinged; nil never pings.
    public var pingAfterSilence: Duration?
    /// Silence after which a peer that owes answers is pinged.
    public var pingAfterBusySilence: Duration
    /// For the answer to a ping.
    public var pingTimeout: Duration

    /// Makes a configuration; the defaults suit a client of APNs.
    public init(
        settings: HTTP2Settings = HTTP2Settings(),
        connectTimeout: Duration = .seconds(15),
        handshakeTimeout: Duration = .seconds(15),
        requestTimeout: Duration = .seconds(30),
        stallTimeout: Duration = .seconds(30),
        pingAfterSilence: Duration? = .seconds(60),
        pingAfterBusySilence: Duration = .seconds(10),
        pingTimeout: Duration = .seconds(10)
    ) {
        self.settings = settings
        self.connectTimeout = connectTimeout
        self.handshakeTimeout = handshakeTimeout
        self.requestTimeout = requestTimeout
        self.stallTimeout = stallTimeout
        self.pingAfterSilence = pingAfterSilence
        self.pingAfterBusySilence = pingAfterBusySilence
        self.pingTimeout = pingTimeout
    }

    /// How often timeouts are looked at.
    var tickInterval: Duration {
        var shortest = min(
            .seconds(1), handshakeTimeout, requestTimeout, stallTimeout, pingTimeout, pingAfterBusySilence)
        if let pingAfterSilence { shortest = min(shortest, pingAfterSilence) }
        return max(shortest / 2, .milliseconds(5))
    }
}
