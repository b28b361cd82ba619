internal import CMicroHTTPD
internal import Glibc

/// A socket that listens, and accepts without waiting.
struct ListeningSocket: Sendable {
    enum Accepted: Sendable {
        case connection(AcceptedSocket)
        case none
        /// No file handle or memory is left; trying again at once would spin.
        case exhausted
    }

    let socket: Int32
    /// As bound: the system's choice when 0 was asked for.
    let port: UInt16

    private static let backlog: Int32 = 1024

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address in numbers, or `localhost`.
    ///   - port: 0 lets the system choose.
    /// - Throws: `argument` when the host is not an address, `listen` when the system refuses.
    init(host: String, port: UInt16) throws(TransportError) {
        let literal = host == "localhost" ? "127.0.0.1" : host
        guard let address = SocketAddress(literal: literal, port: Int(port)) else {
            throw TransportError(.argument, "host must be an IP address or localhost, not \(host)")
        }
        let family = address.withPointer { Int32($0.pointee.sa_family) }
        let socket = Glibc.socket(
            family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Self.error(host, port) }

        var yes: Int32 = 1
        // A port whose last connections still linger can be bound again at once.
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let size = socklen_t(
            family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        let bound = address.withPointer { bind(socket, $0, size) }
        guard bound == 0, listen(socket, Self.backlog) == 0 else {
            let error = Self.error(host, port)
            Glibc.close(socket)
            throw error
        }
        self.socket = socket
        self.port = Self.boundPort(of: socket)
    }

    func close() {
        Glibc.close(socket)
    }

    /// Takes one waiting connection.
    func accept() -> Accepted {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        while true {
            let (accepted, code) = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Self.accept(socket, $0, &size) }
            }
            if accepted >= 0 {
                return .connection(AcceptedSocket(socket: accepted, peer: storage, size: size))
            }
            switch code {
            case EINTR, ECONNABORTED, EPROTO: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .none
            }
        }
    }

    @inline(never)
    private static func accept(
        _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ size: UnsafeMutablePointer<socklen_t>
    ) -> (Int32, errno: Int32) {
        let accepted = belfry_accept(socket, address, size)
        return (accepted, errno)
    }

    @inline(never)
    private static func error(_ host: String, _ port: UInt16) -> TransportError {
        TransportError(.listen, "\(host), port \(port): \(String(cString: strerror(errno)))")
    }

    private static func boundPort(of socket: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(socket, address, &size) == 0 ? UInt16(SocketAddress.port(of: address)) : 0
            }
        }
    }
}

/// An accepted connection that nobody owns yet.
struct AcceptedSocket: Sendable {
    let socket: Int32
    private let peer: sockaddr_storage
    private let size: socklen_t

    init(socket: Int32, peer: sockaddr_storage, size: socklen_t) {
        self.socket = socket
        self.peer = peer
        self.size = size
    }

    /// The peer's address in numbers.
    var remoteAddress: String { withPeer { address, _ in SocketAddress.peerText(of: address) } }

    func withPeer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: peer) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    /// Gives up on a peer that takes nothing, even when it only vanished from the network.
    func setUserTimeout(_ timeout: Duration) {
        var milliseconds = Int32(clamping: timeout.components.seconds * 1000)
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<Int32>.size))
    }

    func close() {
        Glibc.close(socket)
    }
}

extension SocketAddress {
    /// An address in numbers; an IPv4 client of an IPv6 socket counts as IPv4.
    static func peerText(of address: UnsafePointer<sockaddr>) -> String {
        let text = text(of: address)
        return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }
}
