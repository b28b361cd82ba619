internal import CMicroHTTPD
internal import Glibc

/// Waits for a listener, for hang-ups and for other threads' wake-ups, on epoll.
///
/// libmicrohttpd does not look at a suspended connection's socket; this does. Linux only.
final class SocketWatch: Sendable {
    /// What has happened.
    enum Event: Sendable, Hashable {
        case wokenUp
        case connectionWaits
        case hangUp(id: UInt64)
    }

    private let epoll: Int32
    private let bell: Int32

    private static let bellKey: UInt64 = 0
    private static let listenerKey: UInt64 = 1
    /// Connections are numbered from here.
    static let firstID: UInt64 = 2
    private static let eventCountMax = 256

    init() throws(TransportError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw TransportError(.listen, "no file handle is left for epoll") }
        bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard bell >= 0, belfry_epoll_add(epoll, bell, belfry_epoll_readable, Self.bellKey) == 0 else {
            throw TransportError(.listen, "no file handle is left for an eventfd")
        }
    }

    deinit {
        if bell >= 0 { close(bell) }
        if epoll >= 0 { close(epoll) }
    }

    /// Reports waiting connections of a listening socket.
    func watch(listener: Int32) {
        _ = belfry_epoll_add(epoll, listener, belfry_epoll_readable, Self.listenerKey)
    }

    func ignore(listener: Int32) {
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, listener, nil)
    }

    /// Reports once that the peer of a socket has closed.
    ///
    /// Ends when the socket is closed.
    func watch(hangUpOf socket: Int32, id: UInt64) {
        _ = belfry_epoll_add(epoll, socket, belfry_epoll_hang_up, id)
    }

    /// Makes a waiting ``wait(upTo:)`` return; callable from any thread.
    func wakeUp() {
        var one: UInt64 = 1
        _ = write(bell, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits for events.
    ///
    /// - Parameter timeout: nil waits for ever.
    func wait(upTo timeout: Duration?) -> [Event] {
        let milliseconds = timeout.map { timeout in
            let (seconds, attoseconds) = max(timeout, .zero).components
            return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
        }
        return withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventCountMax) { events in
            // An interruption looks like a timeout: the caller looks at its clock and waits again.
            let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds ?? -1)
            return (0..<Int(max(count, 0))).map { index in
                withUnsafePointer(to: &events[index]) { event(of: belfry_epoll_key($0)) }
            }
        }
    }

    private func event(of key: UInt64) -> Event {
        switch key {
        case Self.bellKey:
            var count: UInt64 = 0
            _ = read(bell, &count, MemoryLayout<UInt64>.size)
            return .wokenUp
        case Self.listenerKey: return .connectionWaits
        default: return .hangUp(id: key)
        }
    }
}
