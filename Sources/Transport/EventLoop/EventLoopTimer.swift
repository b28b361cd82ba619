internal import CLibuv

/// A timer of one event loop; made, cancelled and fired on the loop's thread.
public final class EventLoopTimer {
    private let handle: UnsafeMutablePointer<uv_timer_t>
    private var body: (() -> Void)?
    private let isRepeating: Bool
    private var isClosing = false

    fileprivate init(
        loop: EventLoop, after delay: Duration, repeating: Duration?, body: @escaping () -> Void
    ) {
        self.body = body
        isRepeating = repeating != nil
        handle = .allocate(capacity: 1)
        uv_timer_init(loop.handle, handle)
        // libuv's handle owns the timer until it has been closed.
        handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        uv_timer_start(
            handle,
            { handle in
                guard let data = handle?.pointee.data else { return }
                Unmanaged<EventLoopTimer>.fromOpaque(data).takeUnretainedValue().fire()
            },
            delay.milliseconds, repeating.map { max($0.milliseconds, 1) } ?? 0)
    }

    deinit {
        handle.deallocate()
    }

    /// Stops the timer; a body that has not run yet never will.
    ///
    /// Loop only; callable more than once.
    public func cancel() {
        guard !isClosing else { return }
        isClosing = true
        body = nil
        uv_close(belfry_uv_handle(handle)) { handle in
            guard let data = handle?.pointee.data else { return }
            Unmanaged<EventLoopTimer>.fromOpaque(data).release()
        }
    }

    private func fire() {
        let body = body
        if !isRepeating { cancel() }
        body?()
    }
}

extension EventLoop {
    /// Runs a body once after a delay, or again and again.
    ///
    /// Loop only.
    ///
    /// - Parameters:
    ///   - delay: until the first run; whole milliseconds, rounded up.
    ///   - repeating: between runs; nil runs the body once.
    ///   - body: runs on the loop.
    /// - Returns: the timer, which lives by itself; keep it to cancel it.
    @discardableResult
    public func schedule(
        after delay: Duration, repeating: Duration? = nil, _ body: @escaping () -> Void
    ) -> EventLoopTimer {
        assertCurrent()
        // libuv counts from the start of the turn; a long turn must not shorten the delay.
        uv_update_time(handle)
        return EventLoopTimer(loop: self, after: delay, repeating: repeating, body: body)
    }
}

extension Duration {
    /// Leaves room to add a clock's time.
    private static let secondsMax: Int64 = 1 << 51

    /// Whole milliseconds, rounded up, never negative, at most a hundred million years.
    var milliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let part = UInt64(attoseconds / 1_000_000_000_000_000)
        let remainder: UInt64 = attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0
        return UInt64(min(seconds, Self.secondsMax)) * 1000 + part + remainder
    }
}
