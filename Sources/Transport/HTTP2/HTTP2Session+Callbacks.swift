internal import CNGHTTP2

/// What nghttp2 calls while it reads and writes: each callback records, and nothing else.
extension HTTP2Session {
    func makeSession() throws(TransportError) -> OpaquePointer? {
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

    static func recover(_ data: UnsafeMutableRawPointer?) -> HTTP2Session? {
        guard let data else { return nil }
        // Unretained: nghttp2's session is deleted in this object's deinit.
        return Unmanaged<HTTP2Session>.fromOpaque(data).takeUnretainedValue()
    }

    /// Counts what a client sends against what it gets done: floods of empty frames, SETTINGS, PING, unknown
    /// frames or refused requests cost the server work and bring nobody anything.
    func didBeginFrame(_ header: nghttp2_frame_hd) {
        guard role == .server else { return }
        let isBody = header.type == UInt8(NGHTTP2_DATA.rawValue) && header.length > 0
        guard !isBody, !idleFrames.take(nowMilliseconds: nowMilliseconds) else { return }
        isFlooded = true
    }

    func didBeginHeaders(_ frame: UnsafePointer<nghttp2_frame>?) -> Int32 {
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

    func didReceiveField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
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

    func didReceiveFrame(_ frame: UnsafePointer<nghttp2_frame>?) {
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

    func didReceiveBody(_ id: Int32, _ bytes: UnsafeRawBufferPointer) {
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
    func didNotSend(_ frame: UnsafePointer<nghttp2_frame>?) {
        guard role == .client, let header = frame?.pointee.hd,
            header.type == UInt8(NGHTTP2_HEADERS.rawValue), stream(header.stream_id) == nil,
            let stream = open.first(where: { $0.id == header.stream_id })
        else { return }
        end(stream, .refusedStream)
    }

    func didClose(_ id: Int32, _ errorCode: HTTP2ErrorCode) {
        guard let stream = stream(id), !stream.isClosed else { return }
        end(stream, errorCode)
    }

    func end(_ stream: HTTP2Stream, _ errorCode: HTTP2ErrorCode) {
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
}
