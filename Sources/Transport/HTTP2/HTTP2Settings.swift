/// What one end of an HTTP/2 connection allows the other (RFC 9113 §6.5.2).
public struct HTTP2Settings: Sendable, Hashable {
    /// How many streams the peer may have open; nil for no limit.
    public var maxConcurrentStreams: Int?
    /// Bytes of body the peer may send on a stream before it waits.
    public var streamWindowByteCount: Int
    /// Bytes of body the peer may send on all streams together before it waits.
    public var connectionWindowByteCount: Int
    /// The largest header list the peer should send.
    public var headerListByteCountMax: Int
    /// The size of the header compression table.
    public var headerTableByteCount: Int

    /// The largest body kept of one message; what comes above it is counted and dropped.
    public var bodyByteCountMax: Int
    /// Where a message's body is cut off for good.
    public var bodyByteCountCutOff: Int
    /// Streams the peer may open and reset unanswered in a burst, before it is taken for a flood.
    public var unansweredResetBurst: Int
    /// How many of those are forgiven each second.
    public var unansweredResetsPerSecond: Int
    /// Server: frames without a body that a client may send in a burst beyond eight for each request,
    /// before it is taken for a flood.
    public var idleFrameBurst: Int
    /// Server: how many of those are forgiven each second.
    public var idleFramesPerSecond: Int

    /// Makes settings; the defaults are the figures observed of APNs in 2021, with a connection window
    /// that lets a far client fill the line.
    public init(
        maxConcurrentStreams: Int? = nil,
        streamWindowByteCount: Int = 65_535,
        connectionWindowByteCount: Int = 16 * 1024 * 1024,
        headerListByteCountMax: Int = 8000,
        headerTableByteCount: Int = 4096,
        bodyByteCountMax: Int = 16 * 1024,
        bodyByteCountCutOff: Int = 4 * 1024 * 1024,
        unansweredResetBurst: Int = 1000,
        unansweredResetsPerSecond: Int = 33,
        idleFrameBurst: Int = 10_000,
        idleFramesPerSecond: Int = 1000
    ) {
        self.maxConcurrentStreams = maxConcurrentStreams
        self.streamWindowByteCount = streamWindowByteCount
        self.connectionWindowByteCount = connectionWindowByteCount
        self.headerListByteCountMax = headerListByteCountMax
        self.headerTableByteCount = headerTableByteCount
        self.bodyByteCountMax = bodyByteCountMax
        self.bodyByteCountCutOff = bodyByteCountCutOff
        self.unansweredResetBurst = unansweredResetBurst
        self.unansweredResetsPerSecond = unansweredResetsPerSecond
        self.idleFrameBurst = idleFrameBurst
        self.idleFramesPerSecond = idleFramesPerSecond
    }
}
