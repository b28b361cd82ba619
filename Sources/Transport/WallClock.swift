#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Where the time of day comes from; handed in, so that tests decide what time it is.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Int64

    /// Makes a clock of a closure that tells milliseconds since 1970 in UTC.
    public init(_ millisecondsSince1970: @escaping @Sendable () -> Int64) {
        read = millisecondsSince1970
    }

    /// Milliseconds since 1970 in UTC.
    public var millisecondsSince1970: Int64 { read() }

    /// Seconds since 1970 in UTC, rounded down.
    public var secondsSince1970: Int64 { read() / 1000 }

    /// The machine's clock.
    public static let system = WallClock {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
