import COpenSSL

/// The two byte queues of one TLS session, and the BIO through which OpenSSL reaches them.
///
/// OpenSSL's own memory BIO clears memory before it writes to it, moves what is left on each write, and never
/// shrinks; this one does none of that.
struct TLSPipe: ~Copyable {
    /// Encrypted bytes from the peer.
    var input = TLSByteQueue()
    /// Encrypted bytes for the peer.
    var output = TLSByteQueue()
    /// Whether the peer has closed its side of the transport: what is in `input` is the last of it.
    var hasEnded = false

    /// A new BIO over the pipe, which must outlive it.
    static func makeBIO(over pipe: UnsafeMutablePointer<TLSPipe>) -> OpaquePointer? {
        guard let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, pipe)
        BIO_set_init(bio, 1)
        return bio
    }

    /// `nonisolated(unsafe)`: made once, never changed afterwards; OpenSSL only reads it.
    nonisolated(unsafe) private static let method: OpaquePointer? = makeMethod()

    private static func makeMethod() -> OpaquePointer? {
        let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "belfry pipe")
        BIO_meth_set_read(method) { bio, target, count in
            guard let pipe = TLSPipe.of(bio), let target, count > 0 else { return 0 }
            BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            let taken = pipe.pointee.input.take(into: target, maximum: Int(count))
            if taken == 0 && !pipe.pointee.hasEnded {
                BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
                return -1
            }
            return Int32(taken)
        }
        BIO_meth_set_write(method) { bio, source, count in
            guard let pipe = TLSPipe.of(bio), let source, count > 0 else { return 0 }
            BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            pipe.pointee.output.append(source, count: Int(count))
            return count
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH: return 1
            case BIO_CTRL_EOF:
                guard let pipe = TLSPipe.of(bio) else { return 1 }
                return pipe.pointee.hasEnded && pipe.pointee.input.count == 0 ? 1 : 0
            default: return 0
            }
        }
        return method
    }

    private static func of(_ bio: OpaquePointer?) -> UnsafeMutablePointer<TLSPipe>? {
        BIO_get_data(bio)?.assumingMemoryBound(to: TLSPipe.self)
    }
}
