internal import CZlib

/// The gzip format (RFC 1952), by zlib.
enum Gzip {
    /// Window size of 2¹⁵ bytes, plus zlib's flag for a gzip header and trailer.
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8

    /// Compresses the whole at zlib's default level; nil when memory runs out.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= Int(UInt32.max / 2) else { return nil }
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }

        let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
        var status = Z_OK
        let compressed = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            bytes.withUnsafeBufferPointer { input in
                // zlib never writes to its input; its type says so only under ZLIB_CONST.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                status = deflate(&stream, Z_FINISH)
                count = output.count - Int(stream.avail_out)
            }
        }
        return status == Z_STREAM_END ? compressed : nil
    }
}
