internal import Foundation
internal import Recurrence

extension Instant {
    /// The same moment as Foundation has it.
    package var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000) }

    /// The moment of a date, to the millisecond; dates beyond the range are cut to it.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(millisecondsSince1970: Int64(min(max(milliseconds, -1e16), 1e16)))
    }
}
