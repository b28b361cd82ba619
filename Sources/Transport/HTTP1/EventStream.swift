internal import Synchronization

/// A stream of server-sent events to one client.
///
/// A handler makes one, answers ``HTTPResponse/events(_:)``, keeps it and sends from any thread. Events
/// wait in a bounded queue while the client is slow: ``send(_:)`` never blocks and never waits, it
/// answers false instead. The sender decides whether to drop an event or to close the stream, after
/// which the client connects again and resumes with ``HTTPRequest/lastEventID``.
///
/// A stream belongs to one response; in a second one it is answered for with 500.
public final class EventStream: Sendable {
    private struct State {
        var queue: EventQueue
        var connection: MHDConnection?
        var isSuspended = false
        var hasChunks = true
        var wasAttached = false
        var onClose: [@Sendable () -> Void] = []

        /// Continues a connection that waits for something to send, once for each suspension.
        mutating func resume() {
            guard isSuspended, let connection else { return }
            isSuspended = false
            connection.resume()
        }

        mutating func takeOnClose() -> [@Sendable () -> Void] {
            defer { onClose = [] }
            return onClose
        }
    }

    // libmicrohttpd's suspend and resume are called inside the mutex: that orders them, and it makes
    // sure that a resume has happened once `cut()` has returned. They take one mutex that is never held
    // while a callback runs, and write to an eventfd.
    private let state: Mutex<State>

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - eventCountMax: events that may wait for the client.
    ///   - byteCountMax: bytes that may wait, as encoded; a larger event is never taken.
    public init(eventCountMax: Int = 256, byteCountMax: Int = 1 << 20) {
        precondition(eventCountMax > 0, "an event stream needs room for an event")
        state = Mutex(State(queue: EventQueue(eventCountMax: eventCountMax, byteCountMax: byteCountMax)))
    }

    /// Queues an event.
    ///
    /// Callable from any thread, before the response has been sent too. Events of one caller keep their
    /// order.
    ///
    /// - Returns: false when the queue is full or the stream is closed; the event is dropped then.
    @discardableResult
    public func send(_ event: ServerSentEvent) -> Bool {
        let bytes = event.encoded
        return state.withLock { state in
            guard state.queue.add(event: bytes) else { return false }
            state.resume()
            return true
        }
    }

    /// Ends the stream after the events that wait; callable from any thread, more than once.
    public func close() {
        let onClose = state.withLock { state in
            state.queue.end()
            state.resume()
            return state.takeOnClose()
        }
        for action in onClose { action() }
    }

    /// Whether ``send(_:)`` could succeed: neither side has closed.
    public var isOpen: Bool { state.withLock { $0.queue.isOpen } }

    /// Registers what runs once when either side closes the stream, or at once when it is closed.
    ///
    /// It runs on the thread that notices, which may be one of the server's: it must not block.
    public func onClose(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if state.queue.isOpen { state.onClose.append(action) }
            return state.queue.isOpen
        }
        if !isOpen { action() }
    }

    /// Drops what waits; the connection is closed without a proper end.
    func cut() {
        let onClose = state.withLock { state in
            state.queue.cut()
            state.resume()
            return state.takeOnClose()
        }
        for action in onClose { action() }
    }

    /// Unbinds the stream from its connection: its response is over.
    func detach() {
        state.withLock { $0.connection = nil }
        cut()
    }

    /// Sends a comment when nothing else waits.
    func heartbeat() {
        state.withLock { state in
            if state.queue.add(comment: ServerSentEvent.comment(" alive")) { state.resume() }
        }
    }

    /// Binds the stream to the connection whose response it is.
    ///
    /// - Parameter hasChunks: whether the stream's end can be said without ending the connection.
    /// - Returns: false when it has been another's.
    func attach(to connection: MHDConnection, hasChunks: Bool) -> Bool {
        state.withLock { state in
            guard !state.wasAttached else { return false }
            state.wasAttached = true
            state.connection = connection
            state.hasChunks = hasChunks
            return true
        }
    }

    /// Fills libmicrohttpd's buffer, or suspends the connection when there is nothing to fill it with.
    ///
    /// Called on the connection's thread only.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> EventQueue.Pull {
        state.withLock { state in
            let pull = state.queue.pull(into: buffer)
            guard let connection = state.connection else { return .end }
            switch pull {
            case .bytes: break
            case .end where state.hasChunks: break
            case .wait:
                connection.suspend()
                state.isSuspended = true
            case .end, .cut:
                // libmicrohttpd 0.9.75 forgets a connection that ends in this callback: closed inside, it
                // keeps the socket until some older connection times out. One whose socket fails to
                // write is closed at once, so it gets something to fail with.
                connection.shutDown()
                buffer[0] = UInt8(ascii: "\n")
                return .bytes(1)
            }
            return pull
        }
    }
}
