internal import CZlib

/// Unpacks gzip (RFC 1952) as it arrives, also files of several members one after the other.
///
/// For one thread at a time. Memory is a window of 32 KB and one buffer, whatever the file says of itself.
package final class GzipReader {
    /// Window size of 2¹⁵ bytes, plus zlib's flag for a gzip header and trailer.
    private static let windowBits: Int32 = 15 + 16
    /// Bytes that are given out at a time.
    private static let bufferByteCount = 256 * 1024

    private let stream: UnsafeMutablePointer<z_stream>
    private let buffer: UnsafeMutableRawBufferPointer
    /// Whether a member is complete and nothing of a next one was seen.
    private var isBetweenMembers = false

    /// Makes a reader.
    package init() throws(TransportError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        buffer = .allocate(byteCount: Self.bufferByteCount, alignment: 16)
        let result = inflateInit2_(
            stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { throw TransportError(.limit, "gzip: zlib has no memory (\(result))") }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// Whether the input so far is complete.
    package var isComplete: Bool { isBetweenMembers }

    /// Unpacks bytes.
    ///
    /// - Parameters:
    ///   - input: the next bytes of the file.
    ///   - body: receives what they unpack to, in pieces that are valid only inside.
    /// - Throws: `argument` for what is no gzip or damaged.
    package func unpack(
        _ input: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(TransportError) {
        // zlib never writes to its input; its type says so only under ZLIB_CONST.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(clamping: input.count)
        while stream.pointee.avail_in > 0 {
            if isBetweenMembers {
                inflateReset(stream)
                isBetweenMembers = false
            }
            var result = Z_OK
            repeat {
                stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(buffer.count)
                result = inflate(stream, Z_NO_FLUSH)
                // Z_BUF_ERROR says that there was nothing to do, which is no fault.
                guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                    let reason = stream.pointee.msg.map { String(cString: $0) } ?? "result \(result)"
                    throw TransportError(.argument, "gzip: the file is damaged: \(reason)")
                }
                let count = buffer.count - Int(stream.pointee.avail_out)
                if count > 0 { body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            } while stream.pointee.avail_out == 0 && result == Z_OK
            if result == Z_STREAM_END { isBetweenMembers = true }
        }
    }
}
