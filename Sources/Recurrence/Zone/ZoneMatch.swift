/// How often a zone's clocks show a civil time.
public enum ZoneMatch: Hashable, Sendable {
    /// Once, at this offset from UTC in seconds.
    case once(offset: Int)
    /// Never: at this instant the clocks jump over it, from one offset to another (seconds).
    case skipped(at: Instant, offsetBefore: Int, offsetAfter: Int)
    /// Twice: first at one offset, then again at another (seconds).
    case twice(offsetFirst: Int, offsetSecond: Int)
}
