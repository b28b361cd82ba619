internal import CMicroHTTPD
internal import Glibc

/// libmicrohttpd's handle for one connection.
///
/// It is valid from the callback that starts the connection to the one that closes it. On other threads
/// than the connection's own only ``resume()`` is called, and only while the connection is suspended:
/// libmicrohttpd does not free a suspended connection.
// @unchecked: the pointer is used by the rules above; what they need is kept by `HTTPConnectionMachine`
// and `EventStream`, each under its mutex.
struct MHDConnection: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The socket; open until the callback that closes the connection has returned.
    var socket: Int32 { belfry_mhd_socket(pointer) }

    /// The peer's address in numbers.
    var remoteAddress: String {
        guard let address = belfry_mhd_peer(pointer) else { return "" }
        return SocketAddress.peerText(of: address)
    }

    /// Takes the connection out of its thread's loop; only inside a callback of the connection.
    func suspend() {
        MHD_suspend_connection(pointer)
    }

    /// Puts a suspended connection back into its thread's loop, from any thread, once per suspension.
    func resume() {
        MHD_resume_connection(pointer)
    }

    /// Ends both directions, after what was written; only inside a callback of the connection.
    func shutDown() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Reads the head, in the first handler callback of a request.
    ///
    /// The head lies in one piece of memory in which libmicrohttpd has put NUL for each blank of the
    /// request line, each colon and each line's end. Following its lines from one to the next shows
    /// whether they are all there is: it reads over NUL bytes, takes a lone LF for a line's end and glues
    /// a folded line to its header's *name*.
    ///
    /// - Parameters:
    ///   - method: where the head begins.
    ///   - version: after the target.
    ///   - targetAddress: where the target began.
    ///   - targetByteCount: its length up to the first NUL.
    func head(
        method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, targetAddress: UInt, targetByteCount: Int
    ) -> RequestHead {
        let byteCount = Int(belfry_mhd_head_size(pointer))
        var walk = HeadWalk(next: UnsafeRawPointer(version) + 8 + 2)
        walk.isIntact = targetAddress + UInt(targetByteCount) + 1 == UInt(bitPattern: version)
        withUnsafeMutablePointer(to: &walk) { walk in
            _ = MHD_get_connection_values_n(
                pointer, .HEADER_KIND,
                { context, _, name, nameByteCount, value, valueByteCount in
                    guard let context, let name else { return .NO }
                    context.assumingMemoryBound(to: HeadWalk.self).pointee.visit(
                        name: UnsafeRawBufferPointer(start: name, count: nameByteCount),
                        value: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueByteCount))
                    return .YES
                }, walk)
        }
        let endsAtBlankLine = walk.next + 2 == UnsafeRawPointer(method) + byteCount
        return RequestHead(
            method: String(cString: method), target: [],
            isHTTP10: String(cString: version) == "HTTP/1.0", fields: walk.fields, byteCount: byteCount,
            isIntact: walk.isIntact && endsAtBlankLine)
    }

    /// Hands a response over to be sent; only inside a handler callback of the connection.
    ///
    /// - Returns: false when libmicrohttpd refused it.
    func queue(_ response: HTTPResponse, isLast: Bool) -> Bool {
        guard let handle = MHDResponse.make(response, isLast: isLast) else { return false }
        defer { MHD_destroy_response(handle) }
        return MHD_queue_response(pointer, UInt32(response.status), handle) == .YES
    }
}

/// Collects header fields and checks that each follows the one before.
private struct HeadWalk {
    /// Where the next line has to begin.
    var next: UnsafeRawPointer
    var fields: [HTTPHeaders.Field] = []
    var isIntact = true

    init(next: UnsafeRawPointer) {
        self.next = next
    }

    mutating func visit(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        fields.append(
            HTTPHeaders.Field(
                name: String(decoding: name, as: UTF8.self), value: Self.text(Self.trimmed(value))))
        guard isIntact, let nameStart = name.baseAddress, let valueStart = value.baseAddress else {
            isIntact = false
            return
        }
        // Between name and value: the colon, then blanks. Not dereferenced before they are in order.
        let nameEnd = nameStart + name.count
        guard nameStart == next, valueStart > nameEnd else {
            isIntact = false
            return
        }
        let blanks = UnsafeRawBufferPointer(start: nameEnd + 1, count: valueStart - nameEnd - 1)
        isIntact = blanks.allSatisfy(Self.isBlank)
        next = valueStart + value.count + 2
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// libmicrohttpd leaves the blanks after a value (RFC 9110 §5.5 does not count them).
    private static func trimmed(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var count = value.count
        while count > 0, isBlank(value[count - 1]) { count -= 1 }
        return UnsafeRawBufferPointer(rebasing: value[..<count])
    }

    /// UTF-8, or else Latin-1, which never fails.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
