internal import CMicroHTTPD
internal import Glibc

/// libmicrohttpd: its threads, its parser, its writer. It listens nowhere; sockets are handed to it.
///
/// The callbacks recover the ``HTTPServerCore`` or the ``HTTPConnection`` they belong to and forward.
/// The core outlives the daemon (its supervisor owns both). A connection is retained by its socket
/// context, from the callback that starts it to the one that closes it.
// @unchecked: libmicrohttpd's functions for adding a connection and for stopping are thread-safe; the
// supervisor calls both on its own thread.
struct MHDDaemon: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Starts the threads.
    ///
    /// - Parameter core: must live until ``stop()`` has returned.
    init(core: HTTPServerCore) throws(TransportError) {
        let configuration = core.configuration
        var options = belfry_mhd_options()
        options.context = Unmanaged.passUnretained(core).toOpaque()
        options.handle = Self.handle
        options.begin = Self.begin
        options.completed = Self.completed
        options.connection = Self.connection
        options.unescape = Self.unescape
        options.thread_count = UInt32(configuration.threadCount)
        // Connections are counted before they get here. Each thread's share has to hold all of them, for
        // 0.9.75 deadlocks when a connection handed to it exceeds the share.
        options.connection_limit = UInt32((configuration.connectionCountMax + 64) * configuration.threadCount)
        options.inactivity_seconds = UInt32(
            clamping: configuration.idleTimeout.components.seconds
                + (configuration.idleTimeout.components.attoseconds > 0 ? 1 : 0))
        options.connection_memory = Self.connectionMemory(for: configuration)
        guard let daemon = OwnedThread.withSignalsBlocked({ belfry_mhd_start(&options) }) else {
            throw TransportError(.listen, "libmicrohttpd did not start: out of threads or file handles?")
        }
        pointer = daemon
    }

    /// Hands a socket over; libmicrohttpd closes it from now on.
    func add(_ accepted: AcceptedSocket) -> Bool {
        accepted.withPeer { address, size in
            MHD_add_connection(pointer, accepted.socket, address, size) == .YES
        }
    }

    /// Closes every connection and ends the threads; blocks until they have ended.
    ///
    /// No connection may be suspended.
    func stop() {
        MHD_stop_daemon(pointer)
    }

    /// Twice the head, since libmicrohttpd begins with half of it as read buffer, plus its own record of
    /// each header field, plus room for the response's head.
    private static func connectionMemory(for configuration: HTTPServer.Configuration) -> Int {
        let headMax = configuration.headByteCountMax + configuration.targetByteCountMax
        return headMax * 2 + (configuration.headerCountMax + 1) * 64 + 16 << 10
    }

    // MARK: - Callbacks

    private static let connection:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            MHD_ConnectionNotificationCode
        ) -> Void = { context, connection, owner, code in
            guard let context, let connection, let owner else { return }
            if code == .CONNECTION_NOTIFY_STARTED {
                let core = Unmanaged<HTTPServerCore>.fromOpaque(context).takeUnretainedValue()
                owner.pointee = Unmanaged.passRetained(core.started(MHDConnection(connection))).toOpaque()
            } else if let retained = owner.pointee {
                owner.pointee = nil
                Unmanaged<HTTPConnection>.fromOpaque(retained).takeRetainedValue().closed()
            }
        }

    private static let begin:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { _, target, connection in
            guard let target, let connection, let owner = belfry_mhd_owner(connection) else { return nil }
            let byteCount = strlen(target)
            let bytes = UnsafeRawBufferPointer(start: target, count: byteCount)
            Unmanaged<HTTPConnection>.fromOpaque(owner).takeUnretainedValue()
                .begin(target: Array(bytes), address: UInt(bitPattern: target), byteCount: byteCount)
            // The memory is the connection's read buffer. Without a query libmicrohttpd keeps no record of
            // each argument; see `HTTPConnection.unescape`.
            if let mark = bytes.firstIndex(of: UInt8(ascii: "?")), mark + 1 < byteCount {
                UnsafeMutablePointer(mutating: target)[mark + 1] = 0
            }
            return owner
        }

    private static let unescape:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
        ) -> Int = { _, connection, text in
            guard let connection, let text else { return 0 }
            if let owner = belfry_mhd_owner(connection) {
                Unmanaged<HTTPConnection>.fromOpaque(owner).takeUnretainedValue()
                    .unescape(address: UInt(bitPattern: text))
            }
            return strlen(text)
        }

    private static let handle:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> MHD_Result = { _, _, _, method, version, body, bodyByteCount, owner in
            guard let method, let version, let bodyByteCount, let owner = owner?.pointee else { return .NO }
            let bytes = UnsafeRawBufferPointer(start: body, count: body == nil ? 0 : bodyByteCount.pointee)
            let access = Unmanaged<HTTPConnection>.fromOpaque(owner).takeUnretainedValue()
                .access(method: method, version: version, body: bytes)
            bodyByteCount.pointee = 0
            return access == .goOn ? .YES : .NO
        }

    private static let completed:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            MHD_RequestTerminationCode
        ) -> Void = { _, _, owner, _ in
            guard let retained = owner?.pointee else { return }
            owner?.pointee = nil
            Unmanaged<HTTPConnection>.fromOpaque(retained).takeUnretainedValue().completed()
        }
}
