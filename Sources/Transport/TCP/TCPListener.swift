internal import CLibuv

/// A listening socket on one loop that hands its connections to a closure.
///
/// Loop-confined; owned by libuv until closed.
final class TCPListener: LoopHandle {
    private let loop: EventLoop
    let handle: UnsafeMutablePointer<uv_tcp_t>
    private var onConnection: ((TCPListener) -> Void)?
    private var onClose: (() -> Void)?
    private var isClosing = false

    /// Connections the kernel keeps waiting.
    private static let backlog: Int32 = 1024

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - address: port 0 lets the system choose.
    ///   - loop: the current loop.
    ///   - onConnection: must accept from the listener it is given.
    init(
        address: SocketAddress, loop: EventLoop,
        onConnection: @escaping (TCPListener) -> Void
    ) throws(TransportError) {
        loop.assertCurrent()
        self.loop = loop
        self.onConnection = onConnection
        handle = .allocate(capacity: 1)
        uv_tcp_init(loop.handle, handle)
        handle.pointee.data = Unmanaged.passRetained(self).toOpaque()

        var status = address.withPointer { uv_tcp_bind(handle, $0, 0) }
        if status == 0 {
            status = uv_listen(belfry_uv_stream(handle), Self.backlog) { stream, status in
                guard status == 0, let data = stream?.pointee.data else { return }
                let listener = Unmanaged<TCPListener>.fromOpaque(data).takeUnretainedValue()
                listener.onConnection?(listener)
            }
        }
        guard status == 0 else {
            close()
            throw TransportError(.listen, "\(address.text): \(TCPStream.text(status))")
        }
    }

    deinit {
        handle.deallocate()
    }

    /// The port that is listened on.
    var port: Int {
        withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { storage in
            guard let base = storage.baseAddress else { return 0 }
            var size = Int32(MemoryLayout<sockaddr_storage>.size)
            return base.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                uv_tcp_getsockname(handle, address, &size) == 0 ? SocketAddress.port(of: address) : 0
            }
        }
    }

    /// Stops listening; callable more than once.
    func close(_ done: (() -> Void)? = nil) {
        guard !isClosing else {
            done?()
            return
        }
        isClosing = true
        onConnection = nil
        onClose = done
        uv_close(belfry_uv_handle(handle)) { handle in
            guard let data = handle?.pointee.data else { return }
            let listener = Unmanaged<TCPListener>.fromOpaque(data).takeRetainedValue()
            listener.onClose?()
            listener.onClose = nil
        }
    }

    func loopWillClose() {
        close()
    }
}
