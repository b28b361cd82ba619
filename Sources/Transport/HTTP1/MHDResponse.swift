internal import CMicroHTTPD

/// Makes libmicrohttpd's response objects.
enum MHDResponse {
    /// What a response's buffer holds where no chunks are used (HTTP/1.0).
    private static let streamBlockByteCount = 4096

    /// Makes a response the caller has to destroy; nil when it cannot be sent as it is.
    static func make(_ response: HTTPResponse, isLast: Bool) -> OpaquePointer? {
        guard (200...999).contains(response.status) else { return nil }
        var response = response
        let handle: OpaquePointer?
        switch response.body {
        case .bytes(let bytes): handle = make(bytes)
        case .events(let stream):
            response.addEventStreamHeaders()
            handle = make(stream)
        }
        guard let handle else { return nil }
        guard addHeaders(of: response, to: handle, isLast: isLast) else {
            MHD_destroy_response(handle)
            return nil
        }
        return handle
    }

    private static func make(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBytes { bytes in
            // libmicrohttpd copies; its parameter is not const because in other modes it frees.
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    private static func make(_ stream: EventStream) -> OpaquePointer? {
        // Released by the free callback, which runs when the last reference to the response goes.
        let retained = Unmanaged.passRetained(stream)
        let handle = MHD_create_response_from_callback(
            belfry_mhd_size_unknown, streamBlockByteCount,
            { context, _, buffer, byteCount in
                guard let context, let buffer else { return belfry_mhd_end_of_stream }
                let stream = Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue()
                switch stream.fill(UnsafeMutableRawBufferPointer(start: buffer, count: byteCount)) {
                case .bytes(let count): return count
                case .wait: return 0
                case .end, .cut: return belfry_mhd_end_of_stream
                }
            }, retained.toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<EventStream>.fromOpaque(context).release()
            })
        if handle == nil { retained.release() }
        return handle
    }

    /// False when a header cannot be sent: libmicrohttpd refuses line breaks.
    private static func addHeaders(of response: HTTPResponse, to handle: OpaquePointer, isLast: Bool) -> Bool
    {
        for (name, value) in response.headers {
            // The framing is libmicrohttpd's.
            if name.isSameHeaderName(as: "content-length") || name.isSameHeaderName(as: "transfer-encoding") {
                continue
            }
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter),
                !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }),
                value.isEmpty || MHD_add_response_header(handle, name, value) == .YES
            else { return false }
        }
        return !isLast || MHD_add_response_header(handle, "Connection", "close") == .YES
    }
}
