/// A point in time, the same everywhere, to the millisecond.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970 in UTC, without leap seconds.
    public var millisecondsSince1970: Int64

    /// Makes an instant of milliseconds since 1970.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// Makes an instant of whole seconds since 1970.
    public init(secondsSince1970: Int64) {
        millisecondsSince1970 = secondsSince1970 * 1000
    }

    /// Seconds since 1970, rounded down.
    public var secondsSince1970: Int64 {
        millisecondsSince1970 / 1000 - (millisecondsSince1970 % 1000 < 0 ? 1 : 0)
    }

    /// The instant so many milliseconds later.
    public func advanced(byMilliseconds milliseconds: Int64) -> Instant {
        Instant(millisecondsSince1970: millisecondsSince1970 + milliseconds)
    }

    /// The instant so many seconds later.
    public func advanced(bySeconds seconds: Int64) -> Instant {
        advanced(byMilliseconds: seconds * 1000)
    }

    /// Whether one instant is before another.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }
}
