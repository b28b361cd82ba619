internal import CLibuv

/// A connected TCP socket on an event loop: bytes in, bytes out, one closing.
///
/// Loop-confined. Owned by libuv from the moment it is made until its close callback has run, so a
/// late callback always finds it.
final class TCPStream: LoopHandle {
    /// What the owner of a socket is told.
    protocol Delegate: AnyObject {
        /// Bytes came in; the buffer is valid during the call.
        func received(_ bytes: UnsafeRawBufferPointer)
        /// The peer sends no more; the socket closes next.
        func receivedEnd()
        /// Everything handed to `write` has reached the kernel.
        func drained()
        /// The socket is gone; called once, whoever closed it.
        func ended(_ error: TransportError?)
    }

    let loop: EventLoop
    /// The peer's address without its port.
    private(set) var remoteAddress = ""

    private let handle: UnsafeMutablePointer<uv_tcp_t>
    /// Strong while the socket is open: the socket keeps its connection alive, and closing lets go.
    private var delegate: (any Delegate)?
    private var isClosing = false
    private var isLingering = false
    private var lingerTimer: EventLoopTimer?
    private var isReading = false
    private var closeError: TransportError?

    init(loop: EventLoop) {
        loop.assertCurrent()
        self.loop = loop
        handle = .allocate(capacity: 1)
        uv_tcp_init(loop.handle, handle)
        handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    deinit {
        handle.deallocate()
    }

    /// Bytes accepted by `write` that the kernel has not taken yet.
    var pendingByteCount: Int { isClosing ? 0 : uv_stream_get_write_queue_size(belfry_uv_stream(handle)) }

    /// Whether bytes may still be written.
    var isOpen: Bool { !isClosing && !isLingering }

    /// Starts reading into the loop's buffer.
    func start(delegate: any Delegate) {
        self.delegate = delegate
        guard !isClosing else { return }
        uv_tcp_nodelay(handle, 1)
        remoteAddress = Self.describePeer(of: handle)
        resumeReading()
    }

    /// Reads on after `pauseReading`.
    func resumeReading() {
        guard !isClosing, !isReading else { return }
        isReading = true
        let status = uv_read_start(
            belfry_uv_stream(handle),
            { handle, _, buffer in
                guard let loop = EventLoop.recover(handle?.pointee.loop) else { return }
                buffer?.pointee.base = loop.readBuffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                buffer?.pointee.len = loop.readBuffer.count
            },
            { stream, count, _ in TCPStream.recover(stream)?.didRead(count) })
        if status != 0 { fail(Int32(status), doing: "read") }
    }

    /// Lets the peer's bytes wait in the kernel.
    func pauseReading() {
        guard !isClosing, isReading else { return }
        isReading = false
        uv_read_stop(belfry_uv_stream(handle))
    }

    /// Writes bytes: at once as far as the kernel takes them, the rest in order later.
    func write(_ bytes: UnsafeRawBufferPointer) {
        guard isOpen, let base = bytes.baseAddress, bytes.count > 0 else { return }
        var written = 0
        if uv_stream_get_write_queue_size(belfry_uv_stream(handle)) == 0 {
            var buffer = Self.buffer(UnsafeMutableRawPointer(mutating: base), bytes.count)
            let result = uv_try_write(belfry_uv_stream(handle), &buffer, 1)
            if result >= 0 {
                written = Int(result)
            } else if result != UV_EAGAIN.rawValue {
                return fail(result, doing: "write")
            }
        }
        if written < bytes.count {
            queue(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        }
    }

    /// Closes the socket; the delegate hears of it once, with this error.
    ///
    /// Callable more than once.
    ///
    /// - Parameters:
    ///   - error: why; nil for an orderly end.
    ///   - abruptly: sends a TCP reset in place of an orderly end, and drops what is queued.
    func close(_ error: TransportError? = nil, abruptly: Bool = false) {
        guard !isClosing else { return }
        isClosing = true
        lingerTimer?.cancel()
        lingerTimer = nil
        closeError = error
        if abruptly {
            uv_tcp_close_reset(handle) { TCPStream.didClose($0) }
            if uv_is_closing(belfry_uv_handle(handle)) != 0 { return }
        }
        uv_close(belfry_uv_handle(handle)) { TCPStream.didClose($0) }
    }

    /// Closes in order: what was written goes out, what still comes is dropped until the peer closes too.
    ///
    /// Closing at once would drop what is queued; and with bytes unread it is a TCP reset, which destroys
    /// what the peer has not read yet, such as answers and the reason in a GOAWAY.
    func closeInOrder(_ error: TransportError?) {
        guard isOpen else { return }
        isLingering = true
        resumeReading()
        guard !isClosing else { return }
        let request = ShutdownRequest(stream: self)
        let status = uv_shutdown(request.handle, belfry_uv_stream(handle)) { handle, _ in
            guard let data = handle?.pointee.data else { return }
            _ = Unmanaged<ShutdownRequest>.fromOpaque(data).takeRetainedValue()
        }
        guard status == 0 else { return close(error) }
        request.handle.pointee.data = Unmanaged.passRetained(request).toOpaque()
        closeError = error
        lingerTimer = loop.schedule(after: Self.lingerTime) { [self] in close(error) }
    }

    /// Long enough for a far peer to read what was sent and to close.
    private static let lingerTime = Duration.seconds(2)

    func loopWillClose() {
        close(TransportError(.closed, "the event loop ended"))
    }

    // MARK: Connecting and accepting

    /// Connects to an address; `done` runs once on the loop.
    func connect(to address: SocketAddress, done: @escaping (TransportError?) -> Void) {
        guard !isClosing else { return done(TransportError(.closed, "the socket was closed")) }
        let request = ConnectRequest(stream: self, done: done)
        let status = address.withPointer { pointer in
            uv_tcp_connect(request.handle, handle, pointer) { handle, status in
                guard let data = handle?.pointee.data else { return }
                let request = Unmanaged<ConnectRequest>.fromOpaque(data).takeRetainedValue()
                request.done(status == 0 ? nil : TransportError(.connect, TCPStream.text(status)))
            }
        }
        if status == 0 {
            request.handle.pointee.data = Unmanaged.passRetained(request).toOpaque()
        } else {
            done(TransportError(.connect, Self.text(status)))
        }
    }

    /// Takes over an open socket of another loop.
    func open(fileDescriptor: Int32) throws(TransportError) {
        let status = uv_tcp_open(handle, fileDescriptor)
        guard status == 0 else { throw TransportError(.connect, Self.text(status)) }
    }

    /// Takes the next connection that waits at a listener.
    func accept(from listener: TCPListener) throws(TransportError) {
        let status = uv_accept(belfry_uv_stream(listener.handle), belfry_uv_stream(handle))
        guard status == 0 else { throw TransportError(.connect, Self.text(status)) }
    }

    /// A second file descriptor of the socket, to move it to another loop.
    func duplicateFileDescriptor() -> Int32? {
        var descriptor: uv_os_fd_t = -1
        guard uv_fileno(belfry_uv_handle(handle), &descriptor) == 0 else { return nil }
        let copy = belfry_duplicate(descriptor)
        return copy >= 0 ? copy : nil
    }

    // MARK: Callbacks

    private static func recover(_ stream: UnsafeMutablePointer<uv_stream_t>?) -> TCPStream? {
        guard let data = stream?.pointee.data else { return nil }
        return Unmanaged<TCPStream>.fromOpaque(data).takeUnretainedValue()
    }

    private func didRead(_ count: Int) {
        guard count != 0, !isClosing else { return }
        if isLingering {
            if count < 0 { close(closeError) }
        } else if count > 0 {
            delegate?.received(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
        } else if count == Int(UV_EOF.rawValue) {
            delegate?.receivedEnd()
            close(TransportError(.connectionLost, "the peer closed the connection"))
        } else {
            fail(Int32(count), doing: "read")
        }
    }

    private static func didClose(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
        guard let data = handle?.pointee.data else { return }
        let stream = Unmanaged<TCPStream>.fromOpaque(data).takeRetainedValue()
        let delegate = stream.delegate
        stream.delegate = nil
        delegate?.ended(stream.closeError)
    }

    private func queue(_ rest: UnsafeRawBufferPointer) {
        let request = WriteRequest(stream: self, bytes: rest)
        var buffer = Self.buffer(request.bytes.baseAddress, request.bytes.count)
        let status = uv_write(request.handle, belfry_uv_stream(handle), &buffer, 1) { handle, status in
            guard let data = handle?.pointee.data else { return }
            let request = Unmanaged<WriteRequest>.fromOpaque(data).takeRetainedValue()
            request.stream.didWrite(status)
        }
        if status == 0 {
            request.handle.pointee.data = Unmanaged.passRetained(request).toOpaque()
        } else {
            fail(status, doing: "write")
        }
    }

    private func didWrite(_ status: Int32) {
        guard isOpen else { return }
        if status != 0 {
            fail(status, doing: "write")
        } else if pendingByteCount == 0 {
            delegate?.drained()
        }
    }

    private func fail(_ status: Int32, doing verb: String) {
        close(TransportError(.connectionLost, "\(verb) failed: \(Self.text(status))"))
    }

    static func text(_ status: Int32) -> String {
        String(cString: uv_strerror(status))
    }

    private static func buffer(_ base: UnsafeMutableRawPointer?, _ count: Int) -> uv_buf_t {
        uv_buf_init(base?.assumingMemoryBound(to: CChar.self), UInt32(clamping: count))
    }

    private static func describePeer(of handle: UnsafeMutablePointer<uv_tcp_t>) -> String {
        withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { storage in
            guard let base = storage.baseAddress else { return "" }
            var size = Int32(MemoryLayout<sockaddr_storage>.size)
            return base.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard uv_tcp_getpeername(handle, address, &size) == 0 else { return "" }
                return SocketAddress.text(of: address)
            }
        }
    }
}

/// A connect on its way; lives until libuv has answered.
private final class ConnectRequest {
    let handle = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    let stream: TCPStream
    let done: (TransportError?) -> Void

    init(stream: TCPStream, done: @escaping (TransportError?) -> Void) {
        self.stream = stream
        self.done = done
    }

    deinit {
        handle.deallocate()
    }
}

/// The end of writing on its way; lives until libuv has answered.
private final class ShutdownRequest {
    let handle = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let stream: TCPStream

    init(stream: TCPStream) {
        self.stream = stream
    }

    deinit {
        handle.deallocate()
    }
}

/// A write on its way, with its own copy of the bytes; lives until libuv has answered.
private final class WriteRequest {
    let handle = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
    let stream: TCPStream
    let bytes: UnsafeMutableRawBufferPointer

    init(stream: TCPStream, bytes source: UnsafeRawBufferPointer) {
        self.stream = stream
        bytes = .allocate(byteCount: source.count, alignment: 1)
        bytes.copyMemory(from: source)
    }

    deinit {
        handle.deallocate()
        bytes.deallocate()
    }
}

extension TCPStream.Delegate {
    func receivedEnd() {}
}
