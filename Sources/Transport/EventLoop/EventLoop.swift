internal import CLibuv
internal import Synchronization

// @unchecked: the libuv handles and the buffers are touched only by the loop's own thread; what other
// threads reach (`pending`, `uv_async_send`) is guarded by the mutex or documented thread-safe.
/// One thread that waits for sockets, timers and jobs, on libuv.
///
/// Connections live on one loop and are touched only there. Other threads hand a loop work with
/// ``execute(_:)``: jobs run in order, and a sleeping loop is woken once however many arrive.
public final class EventLoop: @unchecked Sendable {
    private struct Pending {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    /// The name of the loop's thread, for debuggers and `top -H`.
    public let name: String

    let handle: UnsafeMutablePointer<uv_loop_t>
    /// Where sockets read into: one buffer serves every connection of the loop.
    let readBuffer: UnsafeMutableRawBufferPointer
    /// Where decrypted bytes and frames are gathered before they go on.
    let scratchBuffer: UnsafeMutableRawBufferPointer

    private let wakeUp: UnsafeMutablePointer<uv_async_t>
    private let pending = Mutex(Pending())
    private let thread = Mutex<uv_thread_t?>(nil)
    private var running: [@Sendable () -> Void] = []
    /// Loop only.
    private var isEnding = false

    /// Bytes read from a socket in one call: eight TLS records.
    private static let readByteCount = 128 * 1024
    /// Plain bytes gathered before they are encrypted.
    private static let scratchByteCount = 128 * 1024

    /// Starts a loop on a new thread.
    ///
    /// - Parameter name: at most 15 characters are shown by Linux.
    public init(name: String) {
        self.name = name
        handle = .allocate(capacity: 1)
        wakeUp = .allocate(capacity: 1)
        readBuffer = .allocate(byteCount: Self.readByteCount, alignment: 16)
        scratchBuffer = .allocate(byteCount: Self.scratchByteCount, alignment: 16)

        precondition(uv_loop_init(handle) == 0, "libuv could not make an event loop: out of file handles?")
        _ = belfry_uv_measure_idle_time(handle)
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        let made = uv_async_init(handle, wakeUp) { async in
            guard let loop = EventLoop.recover(async?.pointee.loop) else { return }
            loop.runPending()
        }
        precondition(made == 0, "libuv could not make an event loop: out of file handles?")

        // The thread keeps the loop alive until it has ended.
        let keepAlive = Unmanaged.passRetained(self).toOpaque()
        var identifier = uv_thread_t()
        let started = uv_thread_create(&identifier, { EventLoop.main($0) }, keepAlive)
        precondition(started == 0, "the system refused to start a thread")
        thread.withLock { $0 = identifier }
    }

    deinit {
        handle.deallocate()
        wakeUp.deallocate()
        readBuffer.deallocate()
        scratchBuffer.deallocate()
    }

    /// Runs a job on the loop's thread, after the jobs handed in before it.
    ///
    /// Callable from any thread. A loop that has shut down drops the job and answers false.
    @discardableResult
    public func execute(_ job: @escaping @Sendable () -> Void) -> Bool {
        let accepted = pending.withLock { pending in
            guard !pending.isClosed else { return false }
            pending.jobs.append(job)
            // Sent under the lock, so that it never reaches a handle that shutdown has closed.
            uv_async_send(wakeUp)
            return true
        }
        return accepted
    }

    /// Ends the loop: jobs already handed in still run, open handles are closed, the thread exits.
    ///
    /// Callable from any thread, more than once; returns at once.
    public func shutdown() {
        execute { [self] in isEnding = true }
    }

    /// Whether the caller runs on this loop's thread.
    public var isCurrent: Bool {
        var current = uv_thread_self()
        return thread.withLock { thread in
            guard var thread else { return false }
            return uv_thread_equal(&thread, &current) != 0
        }
    }

    /// Traps in debug builds when the caller is on another thread.
    func assertCurrent() {
        assert(isCurrent, "called from outside the event loop \(name)")
    }

    /// The monotonic time at which this turn of the loop began.
    var nowMilliseconds: UInt64 { uv_now(handle) }

    /// The monotonic clock, read afresh.
    public static var monotonicNanoseconds: UInt64 { uv_hrtime() }

    /// How long the loop has waited for something to do since it began; callable from any thread.
    public var idleNanoseconds: UInt64 { uv_metrics_idle_time(handle) }

    static func recover(_ handle: UnsafeMutablePointer<uv_loop_t>?) -> EventLoop? {
        guard let data = handle?.pointee.data else { return nil }
        return Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue()
    }

    private func runPending() {
        pending.withLock { swap(&$0.jobs, &running) }
        for job in running { job() }
        running.removeAll(keepingCapacity: true)
        if isEnding { end() }
    }

    private func end() {
        // Nothing is taken from here on; what was taken meanwhile still runs.
        let rest = pending.withLock { pending in
            pending.isClosed = true
            defer { pending.jobs = [] }
            return pending.jobs
        }
        for job in rest { job() }
        uv_stop(handle)
    }

    private func closeHandles() {
        uv_walk(
            handle,
            { handle, _ in
                guard let handle, uv_is_closing(handle) == 0 else { return }
                EventLoop.close(handle)
            }, nil)
    }

    /// Closes any handle in the way its owner expects.
    private static func close(_ handle: UnsafeMutablePointer<uv_handle_t>) {
        switch handle.pointee.type {
        case UV_TCP:
            if let data = handle.pointee.data {
                let socket = Unmanaged<AnyObject>.fromOpaque(data).takeUnretainedValue()
                (socket as? any LoopHandle)?.loopWillClose()
            }
        case UV_TIMER:
            if let data = handle.pointee.data {
                Unmanaged<EventLoopTimer>.fromOpaque(data).takeUnretainedValue().cancel()
            }
        default:
            uv_close(handle, nil)
        }
    }

    private static func main(_ argument: UnsafeMutableRawPointer?) {
        guard let argument else { return }
        let loop = Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue()
        belfry_set_thread_name(loop.name)
        belfry_block_sigpipe()
        uv_run(loop.handle, UV_RUN_DEFAULT)
        // Who hears of the end of a connection may open another, or set a timer.
        while uv_loop_alive(loop.handle) != 0 {
            loop.closeHandles()
            uv_run(loop.handle, UV_RUN_ONCE)
        }
        uv_loop_close(loop.handle)
    }
}

/// What lives on a loop and has to be told that the loop ends.
protocol LoopHandle: AnyObject {
    /// Closes itself as if the connection had been lost.
    func loopWillClose()
}
