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
        fileprivate var ended: [HTTP2Stream] = []
    }

    let role: Role
    let settings: HTTP2Settings
    /// Streams of the peer or of ours that are open now.
    @exclusivity(unchecked) private(set) var open: [HTTP2Stream] = []
    /// Set when the peer opens and resets streams faster than allowed, or sends frames that carry nothing.
    private(set) var isFlooded = false
    private(set) var receivedGoAway = false
    private(set) var hasReceivedSettings = false
    /// Bytes of body that were submitted and have not been framed yet.
    @exclusivity(unchecked) private(set) var queuedBodyByteCount = 0
    /// Advanced by the owner before each call; only limits are measured by it.
    var nowMilliseconds: UInt64

    private var session: OpaquePointer?
    private let memory = HTTP2Memory()
    @exclusivity(unchecked) private var events = Events()
    private var spare: [HTTP2Stream] = []
    @exclusivity(unchecked) private var pool: [HTTP2Stream] = []
    private var spareEnded: [HTTP2Stream] = []
    /// The stream whose fields are coming; unowned, since `open` holds it until it ends.
    @exclusivity(unchecked) private unowned(unsafe) var headerStream: HTTP2Stream?
    private var resets: RateLimiter
    private var idleFrames: RateLimiter
    private let fieldBuffer: UnsafeMutableBufferPointer<nghttp2_nv>

    /// Fields in one message that are sent; far above what APNs knows.
    private static let fieldCountMax = 64
    /// Frames without a body that a whole request stands for: HEADERS, an empty DATA, RST_STREAM, and
    /// WINDOW_UPDATE or PING as clients send them with each answer.
    private static let framesPerRequest = 8
    /// Streams kept for reuse while none is open.
    private static let idlePoolCount = 16

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

    private func submitSettings() throws(TransportError) {
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

    private func makeSession() throws(TransportError) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var option: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&option) == 0 else {
            throw TransportError(.http2, "out of memory")
        }
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(option)
        }
        nghttp2_option_set_no_closed_streams(option, 1)
        // Unanswered resets are limited here; nghttp2's own limit would also count the CANCEL that some
        // clients send after a whole answer.
        nghttp2_option_set_stream_reset_rate_limit(option, 1 << 40, 1 << 30)

        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, data in
            if let header { HTTP2Session.recover(data)?.didBeginFrame(header.pointee) }
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, data in
            HTTP2Session.recover(data)?.didBeginHeaders(frame) ?? 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameCount, value, valueCount, _, data in
            HTTP2Session.recover(data)?.didReceiveField(
                UnsafeRawBufferPointer(start: name, count: nameCount),
                UnsafeRawBufferPointer(start: value, count: valueCount))
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            HTTP2Session.recover(data)?.didReceiveFrame(frame)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            _, _, id, bytes, count, data in
            HTTP2Session.recover(data)?.didReceiveBody(id, UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, _, data in
            HTTP2Session.recover(data)?.didNotSend(frame)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, errorCode, data in
            HTTP2Session.recover(data)?.didClose(id, HTTP2ErrorCode(rawValue: errorCode))
            return 0
        }

        var session: OpaquePointer?
        let data = Unmanaged.passUnretained(self).toOpaque()
        let status =
            role == .client
            ? nghttp2_session_client_new3(&session, callbacks, data, option, memory.functions)
            : nghttp2_session_server_new3(&session, callbacks, data, option, memory.functions)
        guard status == 0 else { throw TransportError(.http2, Self.text(status)) }
        return session
    }

    private static func recover(_ data: UnsafeMutableRawPointer?) -> HTTP2Session? {
        guard let data else { return nil }
        // Unretained: nghttp2's session is deleted in this object's deinit.
        return Unmanaged<HTTP2Session>.fromOpaque(data).takeUnretainedValue()
    }

    /// Counts what a client sends against what it gets done: floods of empty frames, SETTINGS, PING, unknown
    /// frames or refused requests cost the server work and bring nobody anything.
    private func didBeginFrame(_ header: nghttp2_frame_hd) {
        guard role == .server else { return }
        let isBody = header.type == UInt8(NGHTTP2_DATA.rawValue) && header.length > 0
        guard !isBody, !idleFrames.take(nowMilliseconds: nowMilliseconds) else { return }
        isFlooded = true
    }

    private func didBeginHeaders(_ frame: UnsafePointer<nghttp2_frame>?) -> Int32 {
        guard let header = frame?.pointee.hd, header.type == UInt8(NGHTTP2_HEADERS.rawValue) else { return 0 }
        if role == .client {
            headerStream = stream(header.stream_id)
            return 0
        }
        if let known = stream(header.stream_id) {
            // Trailers: nothing in APNs uses them.
            headerStream = known.isAnswered ? nil : known
            return 0
        }
        let stream = makeStream()
        stream.id = header.stream_id
        stream.openedAtMilliseconds = nowMilliseconds
        insert(stream)
        nghttp2_session_set_stream_user_data(
            session, header.stream_id, Unmanaged.passUnretained(stream).toOpaque())
        headerStream = stream
        return 0
    }

    private func didReceiveField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard let stream = headerStream else { return }
        // A client may see informational heads (1xx) first: the last head counts.
        if role == .client, stream.fields.count > 0, name.elementsEqual(":status".utf8) {
            stream.fields.removeAll()
        }
        let size = stream.fields.listByteCount + name.count + value.count + 32
        if size > settings.headerListByteCountMax {
            stream.isOversized = true
        } else {
            stream.fields.append(name: name, value: value)
        }
    }

    private func didReceiveFrame(_ frame: UnsafePointer<nghttp2_frame>?) {
        guard let frame else { return }
        let header = frame.pointee.hd
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS, NGHTTP2_DATA:
            headerStream = nil
            guard header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 else { return }
            guard let stream = stream(header.stream_id) else { return }
            stream.isComplete = true
            idleFrames.giveBack(Self.framesPerRequest)
            if role == .server, !stream.isAnswered { events.streams.append(stream) }
        case NGHTTP2_SETTINGS:
            guard header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 else { return }
            hasReceivedSettings = true
            events.receivedSettings = true
        case NGHTTP2_PING:
            if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0 { events.pingsAcknowledged += 1 }
        case NGHTTP2_GOAWAY:
            let goAway = frame.pointee.goaway
            receivedGoAway = true
            events.goAways.append(
                GoAway(
                    lastStreamID: goAway.last_stream_id,
                    errorCode: HTTP2ErrorCode(rawValue: goAway.error_code),
                    debugData: Array(
                        UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len))))
        default:
            break
        }
    }

    private func didReceiveBody(_ id: Int32, _ bytes: UnsafeRawBufferPointer) {
        guard let stream = stream(id) else { return }
        stream.bodyByteCount += bytes.count
        let room = settings.bodyByteCountMax - stream.body.count
        if room > 0 { stream.body.append(contentsOf: bytes.prefix(room)) }
        if stream.bodyByteCount > settings.bodyByteCountCutOff {
            nghttp2_submit_rst_stream(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, HTTP2ErrorCode.enhanceYourCalm.rawValue)
        }
    }

    /// A request that could not be started any more, because a GOAWAY overtook it: nghttp2 never made a
    /// stream of it and will not report it closed.
    private func didNotSend(_ frame: UnsafePointer<nghttp2_frame>?) {
        guard role == .client, let header = frame?.pointee.hd,
            header.type == UInt8(NGHTTP2_HEADERS.rawValue), stream(header.stream_id) == nil,
            let stream = open.first(where: { $0.id == header.stream_id })
        else { return }
        end(stream, .refusedStream)
    }

    private func didClose(_ id: Int32, _ errorCode: HTTP2ErrorCode) {
        guard let stream = stream(id), !stream.isClosed else { return }
        end(stream, errorCode)
    }

    private func end(_ stream: HTTP2Stream, _ errorCode: HTTP2ErrorCode) {
        stream.isClosed = true
        stream.errorCode = errorCode
        // Its header block may still be coming in when a stream is reset for slowness.
        if headerStream === stream { headerStream = nil }
        remove(stream)
        events.ended.append(stream)
        queuedBodyByteCount -= stream.outgoingBody.count - stream.outgoingOffset
        switch role {
        case .client:
            events.streams.append(stream)
        case .server:
            guard !stream.isAnswered else { return }
            events.abandoned.append(stream)
            if !resets.take(nowMilliseconds: nowMilliseconds) { isFlooded = true }
        }
    }

    private func dataProvider(for stream: HTTP2Stream) -> nghttp2_data_provider {
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

    private func withFields<Result>(
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

    private func stream(_ id: Int32) -> HTTP2Stream? {
        guard let data = nghttp2_session_get_stream_user_data(session, id) else { return nil }
        return Unmanaged<HTTP2Stream>.fromOpaque(data).takeUnretainedValue()
    }

    private func makeStream() -> HTTP2Stream {
        pool.popLast() ?? HTTP2Stream()
    }

    private func insert(_ stream: HTTP2Stream) {
        stream.openIndex = open.count
        open.append(stream)
    }

    private func remove(_ stream: HTTP2Stream) {
        let index = stream.openIndex
        guard index >= 0, index < open.count else { return }
        let last = open.removeLast()
        if last !== stream {
            last.openIndex = index
            open[index] = last
        }
        stream.openIndex = -1
    }

    private static func text(_ status: Int32) -> String {
        String(cString: nghttp2_strerror(status))
    }
}
