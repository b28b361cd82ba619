/// One request and its response on an HTTP/2 connection.
///
/// Streams are pooled: an object is valid from the handler's call that delivers it until the stream is
/// answered (server) or the call returns (client). Loop-confined.
public final class HTTP2Stream {
    // Exclusivity is unchecked on what every message touches: the stream is confined to its loop, and no
    // access calls anything that could reach the same property.

    /// The stream's id on the wire.
    @exclusivity(unchecked) public internal(set) var id: Int32 = 0
    /// A tag of the caller's choice, such as an index into its own table.
    @exclusivity(unchecked) public var tag: Int = 0
    /// What the peer sent: the request's head on a server, the response's on a client.
    @exclusivity(unchecked) public internal(set) var fields = HTTP2Fields()
    /// The peer's body, up to the connection's limit.
    @exclusivity(unchecked) public internal(set) var body: [UInt8] = []
    /// How many bytes of body the peer has sent, kept or not.
    @exclusivity(unchecked) public internal(set) var bodyByteCount = 0
    /// Why the stream ended; `noError` for a stream that was answered to its end.
    @exclusivity(unchecked) public internal(set) var errorCode = HTTP2ErrorCode.noError
    /// Whether the peer's message was received whole.
    @exclusivity(unchecked) public internal(set) var isComplete = false
    /// Whether every byte of our own message was handed to the connection.
    @exclusivity(unchecked) public internal(set) var isFullySent = false
    /// Whether the stream has ended.
    @exclusivity(unchecked) public internal(set) var isClosed = false

    @exclusivity(unchecked) var isAnswered = false
    @exclusivity(unchecked) var isOversized = false
    @exclusivity(unchecked) var openedAtMilliseconds: UInt64 = 0
    @exclusivity(unchecked) var answeredAtMilliseconds: UInt64 = 0
    @exclusivity(unchecked) var outgoingBody: [UInt8] = []
    @exclusivity(unchecked) var outgoingOffset = 0
    /// The position in the session's list of open streams; negative once the stream has ended.
    @exclusivity(unchecked) var openIndex = -1
    /// How often the object has been reused, so that a late holder can tell.
    @exclusivity(unchecked) public internal(set) var generation: UInt64 = 0

    init() {}

    func reset() {
        id = 0
        tag = 0
        fields.removeAll()
        if body.capacity > Self.keptBodyByteCount { body = [] } else { body.removeAll(keepingCapacity: true) }
        bodyByteCount = 0
        errorCode = .noError
        isComplete = false
        isFullySent = false
        isClosed = false
        isAnswered = false
        isOversized = false
        outgoingBody = []
        outgoingOffset = 0
        openIndex = -1
        generation &+= 1
    }

    /// Bodies beyond an APNs payload give their memory back.
    private static let keptBodyByteCount = 8192
}
