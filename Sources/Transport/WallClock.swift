#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Where the time of day comes from; handed in, so that tests decide what time it is.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Int64
    private let readElapsed: @Sendable () -> Int64

    /// Makes a clock of a closure that tells milliseconds since 1970 in UTC.
    ///
    /// - Parameter elapsed: milliseconds since any moment, by a clock that nobody sets; the time of day when nil.
    public init(
        _ millisecondsSince1970: @escaping @Sendable () -> Int64,
        elapsed: (@Sendable () -> Int64)? = nil
    ) {
        read = millisecondsSince1970
        readElapsed = elapsed ?? millisecondsSince1970
    }

    /// Milliseconds since 1970 in UTC.
    public var millisecondsSince1970: Int64 { read() }

    /// Seconds since 1970 in UTC, rounded down.
    public var secondsSince1970: Int64 { read() / 1000 }

    /// Seconds since any moment, for the age of things: somebody may set the time of day.
    public var elapsedSeconds: Int64 { readElapsed() / 1000 }

    /// Milliseconds since the process first asked, by the machine's clock that nobody sets; goes on while it sleeps.
    public static let systemElapsed: @Sendable () -> Int64 = {
        Int64(start.duration(to: .now) / .milliseconds(1))
    }
    private static let start = ContinuousClock.now

    /// The machine's clock.
    public static let system = WallClock(
        {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
        }, elapsed: systemElapsed)
}
