internal import FoundationEssentials
internal import Recurrence

extension CommandContext {
    /// The time, to the millisecond.
    var preciseInstant: Instant {
        Instant(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
