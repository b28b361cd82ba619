internal import CNGHTTP2

/// One HTTP/2 connection's protocol state, without a socket: bytes in, events and bytes out.
///
/// A thin shell around nghttp2. Callbacks only record; what they recorded is taken with
/// ``takeEvents()`` after the call that fed the session, so nothing runs inside nghttp2.
/// Not thread-safe: confined to its connection's loop.
final class HTTP2Session {
    // Exclusivity is unchecked on the lists that every stream passes through: each access is one step on one
    // list, which calls nothing that could reach the list again.

    /// Which end of the connection this is.
    enum Role {
        case client
        case server
    }

    /// A GOAWAY frame that came in.
    struct GoAway {
        var lastStreamID: Int32
        var errorCode: HTTP2ErrorCode
        var debugData: [UInt8]
    }

    /// What happened since the last look.
    struct Events {
        /// On a server requests received whole; on a client streams that ended, answered or not.
        var streams: [HTTP2Stream] = []
        /// Server: streams that the peer ended before they were answered.
        var abandoned: [HTTP2Stream] = []
        var goAways: [GoAway] = []
        var receivedSettings = false
        var pingsAcknowledged = 0
        /// Streams that ended before the events were taken; the others of the lists are still in use.
        var ended: [HTTP2Stream] = []
    }

    let role: Role
    let settings: HTTP2Settings
    /// Streams of the peer or of ours that are open now.
    @exclusivity(unchecked) var open: [HTTP2Stream] = []
    /// Set when the peer opens and resets streams faster than allowed, or sends frames that carry nothing.
    var isFlooded = false
    var receivedGoAway = false
    var hasReceivedSettings = false
    /// Bytes of body that were submitted and have not been framed yet.
    @exclusivity(unchecked) var queuedBodyByteCount = 0
    /// Advanced by the owner before each call; only limits are measured by it.
    var nowMilliseconds: UInt64

    var session: OpaquePointer?
    let memory = HTTP2Memory()
    @exclusivity(unchecked) var events = Events()
    var spare: [HTTP2Stream] = []
    @exclusivity(unchecked) var pool: [HTTP2Stream] = []
    var spareEnded: [HTTP2Stream] = []
    /// The stream whose fields are coming; unowned, since `open` holds it until it ends.
    @exclusivity(unchecked) unowned(unsafe) var headerStream: HTTP2Stream?
    var resets: RateLimiter
    var idleFrames: RateLimiter
    let fieldBuffer: UnsafeMutableBufferPointer<nghttp2_nv>

    /// Fields in one message that are sent; far above what APNs knows.
    static let fieldCountMax = 64
    /// Frames without a body that a whole request stands for: HEADERS, an empty DATA, RST_STREAM, and
    /// WINDOW_UPDATE or PING as clients send them with each answer.
    static let framesPerRequest = 8
    /// Streams kept for reuse while none is open.
    static let idlePoolCount = 16

    init(role: Role, settings: HTTP2Settings, nowMilliseconds: UInt64) throws(TransportError) {
        self.role = role
        self.settings = settings
        self.nowMilliseconds = nowMilliseconds
        resets = RateLimiter(
            burst: settings.unansweredResetBurst, perSecond: settings.unansweredResetsPerSecond,
            nowMilliseconds: nowMilliseconds)
        idleFrames = RateLimiter(
            burst: settings.idleFrameBurst, perSecond: settings.idleFramesPerSecond,
            nowMilliseconds: nowMilliseconds)
        fieldBuffer = .allocate(capacity: Self.fieldCountMax)
        session = try makeSession()
        try submitSettings()
    }

    deinit {
        nghttp2_session_del(session)
        fieldBuffer.deallocate()
    }

    // MARK: Bytes

    /// Feeds bytes from the peer.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        let count = nghttp2_session_mem_recv(
            session, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        if count == Int(NGHTTP2_ERR_FLOODED.rawValue)
            || count == Int(NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue)
        {
            isFlooded = true
        } else if count < 0 {
            throw TransportError(.http2, "the peer broke HTTP/2: \(Self.text(Int32(count)))")
        }
    }

    /// Takes what is to be sent, gathered into as few pieces as the buffer allows.
    ///
    /// - Parameters:
    ///   - scratch: at least one frame large (16 KB + 9).
    ///   - mayGoOn: asked after each full buffer; false leaves the rest for later.
    ///   - write: takes each piece; the pointer is valid during the call.
    func produce(
        into scratch: UnsafeMutableRawBufferPointer, while mayGoOn: () -> Bool = { true },
        write: (UnsafeRawBufferPointer) throws(TransportError) -> Void
    ) throws(TransportError) {
        var filled = 0
        while true {
            var data: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &data)
            if count < 0 {
                throw TransportError(.http2, "frames could not be made: \(Self.text(Int32(count)))")
            }
            guard count > 0, let data else { break }
            if filled + count > scratch.count {
                try write(UnsafeRawBufferPointer(rebasing: scratch[..<filled]))
                filled = 0
            }
            scratch.baseAddress?.advanced(by: filled).copyMemory(from: data, byteCount: count)
            filled += count
            if filled > scratch.count / 2, !mayGoOn() { break }
        }
        if filled > 0 {
            try write(UnsafeRawBufferPointer(rebasing: scratch[..<filled]))
        }
    }

    /// Whether the session has nothing more to say or to hear.
    var isOver: Bool {
        nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Whether something was recorded that has not been taken.
    var hasEvents: Bool {
        !events.streams.isEmpty || !events.abandoned.isEmpty || !events.goAways.isEmpty
            || events.receivedSettings || events.pingsAcknowledged > 0
    }

    /// Hands out what was recorded; give the lists back with ``recycle(_:)``.
    func takeEvents() -> Events {
        var taken = Events()
        swap(&taken, &events)
        swap(&events.streams, &spare)
        swap(&events.ended, &spareEnded)
        return taken
    }

    /// Takes back the lists and the streams that ended.
    func recycle(_ events: consuming Events) {
        events.streams.removeAll(keepingCapacity: true)
        if events.streams.capacity > spare.capacity { spare = events.streams }
        for stream in events.ended {
            stream.reset()
            pool.append(stream)
        }
        events.ended.removeAll(keepingCapacity: true)
        if events.ended.capacity > spareEnded.capacity, spareEnded.isEmpty { spareEnded = events.ended }
        if open.isEmpty, pool.count > Self.idlePoolCount * 4 {
            pool.removeLast(pool.count - Self.idlePoolCount)
        }
    }

    // MARK: Streams

    /// How many streams the peer lets this client have open.
    var peerMaxConcurrentStreams: Int {
        Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Whether a client may open streams at all: not after GOAWAY, not when ids have run out.
    var mayOpenStreams: Bool {
        nghttp2_session_check_request_allowed(session) != 0
    }

    /// Bytes of body that may still be sent on the connection before the peer widens its window.
    var remoteWindowByteCount: Int {
        Int(nghttp2_session_get_remote_window_size(session))
    }

    /// Opens a stream with a whole request; nil when the session takes no more.
    func submitRequest(fields: borrowing HTTP2Fields, body: [UInt8], tag: Int) -> HTTP2Stream? {
        let stream = makeStream()
        stream.tag = tag
        stream.outgoingBody = body
        let data = Unmanaged.passUnretained(stream).toOpaque()
        let hasBody = !body.isEmpty
        let id = withFields(fields) { list, count in
            guard hasBody else { return nghttp2_submit_request(session, nil, list, count, nil, data) }
            var provider = dataProvider(for: stream)
            return nghttp2_submit_request(session, nil, list, count, &provider, data)
        }
        guard id > 0 else {
            stream.reset()
            pool.append(stream)
            return nil
        }
        if !hasBody { stream.isFullySent = true }
        queuedBodyByteCount += body.count
        stream.id = id
        insert(stream)
        return stream
    }

    /// Answers a stream of the peer; a stream that has ended is left alone.
    func submitResponse(to stream: HTTP2Stream, fields: borrowing HTTP2Fields, body: [UInt8]) {
        guard stream.openIndex >= 0, !stream.isAnswered else { return }
        stream.isAnswered = true
        stream.answeredAtMilliseconds = nowMilliseconds
        stream.outgoingBody = body
        queuedBodyByteCount += body.count
        let hasBody = !body.isEmpty
        let status = withFields(fields) { list, count in
            guard hasBody else { return nghttp2_submit_response(session, stream.id, list, count, nil) }
            var provider = dataProvider(for: stream)
            return nghttp2_submit_response(session, stream.id, list, count, &provider)
        }
        if status != 0 { reset(stream, errorCode: .internalError) }
    }

    /// Ends a stream with RST_STREAM.
    func reset(_ stream: HTTP2Stream, errorCode: HTTP2ErrorCode) {
        guard stream.openIndex >= 0 else { return }
        stream.isAnswered = true
        stream.answeredAtMilliseconds = nowMilliseconds
        nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, errorCode.rawValue)
    }

    /// Ends every open stream as lost; what has ended is taken with `takeEvents`.
    func abandonOpenStreams(errorCode: HTTP2ErrorCode) {
        for stream in open {
            stream.openIndex = -1
            stream.isClosed = true
            stream.errorCode = errorCode
            events.ended.append(stream)
            if role == .client {
                events.streams.append(stream)
            } else if stream.isComplete, !stream.isAnswered {
                events.abandoned.append(stream)
            }
        }
        open.removeAll()
        headerStream = nil
    }

    // MARK: Connection

    func submitPing() {
        nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Tells the peer how many streams it may have open from now on.
    func submitMaxConcurrentStreams(_ count: Int) {
        var entry = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
            value: UInt32(clamping: count))
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1)
    }

    /// The highest stream of the peer that was looked at.
    var lastProcessedStreamID: Int32 {
        nghttp2_session_get_last_proc_stream_id(session)
    }

    func submitGoAway(lastStreamID: Int32, errorCode: HTTP2ErrorCode, debugData: [UInt8]) {
        debugData.withUnsafeBufferPointer { data in
            _ = nghttp2_submit_goaway(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), lastStreamID, errorCode.rawValue,
                data.baseAddress, data.count)
        }
    }

    func submitSettings() throws(TransportError) {
        typealias Identifier = nghttp2_settings_id
        var list: [nghttp2_settings_entry] = []
        func add(_ identifier: Identifier, _ value: Int) {
            list.append(
                nghttp2_settings_entry(
                    settings_id: Int32(identifier.rawValue), value: UInt32(clamping: value)))
        }
        add(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings.headerTableByteCount)
        if role == .client {
            add(NGHTTP2_SETTINGS_ENABLE_PUSH, 0)
        } else if let count = settings.maxConcurrentStreams {
            add(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, count)
        }
        add(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.streamWindowByteCount)
        add(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.headerListByteCountMax)
        // RFC 9218 §2.1: frees both ends from the priority tree, which APNs ignores anyhow.
        add(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1)
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        let status = nghttp2_submit_settings(session, flags, list, list.count)
        guard status == 0 else { throw TransportError(.http2, Self.text(status)) }
        nghttp2_session_set_local_window_size(
            session, flags, 0, Int32(clamping: settings.connectionWindowByteCount))
    }

    // MARK: nghttp2

    func dataProvider(for stream: HTTP2Stream) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        // Unretained: a stream stays in `open` or among the ended for as long as nghttp2 knows its id.
        provider.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
        provider.read_callback = { _, _, buffer, capacity, flags, source, session in
            guard let buffer, let data = source?.pointee.ptr else {
                return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
            }
            let stream = Unmanaged<HTTP2Stream>.fromOpaque(data).takeUnretainedValue()
            let count = min(capacity, stream.outgoingBody.count - stream.outgoingOffset)
            stream.outgoingBody.withUnsafeBytes { body in
                guard let base = body.baseAddress else { return }
                UnsafeMutableRawPointer(buffer).copyMemory(
                    from: base + stream.outgoingOffset, byteCount: count)
            }
            stream.outgoingOffset += count
            HTTP2Session.recover(session)?.queuedBodyByteCount -= count
            if stream.outgoingOffset == stream.outgoingBody.count {
                flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
                stream.isFullySent = true
            }
            return count
        }
        return provider
    }

    func withFields<Result>(
        _ fields: borrowing HTTP2Fields, _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result
    ) -> Result {
        let entries = fields.entries
        return fields.bytes.withUnsafeBufferPointer { bytes in
            let base = UnsafeMutablePointer(mutating: bytes.baseAddress)
            var count = 0
            for entry in entries.prefix(fieldBuffer.count) {
                fieldBuffer[count] = nghttp2_nv(
                    name: base.map { $0 + Int(entry.nameStart) },
                    value: base.map { $0 + Int(entry.valueStart) },
                    namelen: Int(entry.nameCount), valuelen: Int(entry.valueCount),
                    flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
                count += 1
            }
            return body(fieldBuffer.baseAddress, count)
        }
    }

    func stream(_ id: Int32) -> HTTP2Stream? {
        guard let data = nghttp2_session_get_stream_user_data(session, id) else { return nil }
        return Unmanaged<HTTP2Stream>.fromOpaque(data).takeUnretainedValue()
    }

    func makeStream() -> HTTP2Stream {
        pool.popLast() ?? HTTP2Stream()
    }

    func insert(_ stream: HTTP2Stream) {
        stream.openIndex = open.count
        open.append(stream)
    }

    func remove(_ stream: HTTP2Stream) {
        let index = stream.openIndex
        guard index >= 0, index < open.count else { return }
        let last = open.removeLast()
        if last !== stream {
            last.openIndex = index
            open[index] = last
        }
        stream.openIndex = -1
    }

    static func text(_ status: Int32) -> String {
        String(cString: nghttp2_strerror(status))
    }
}
