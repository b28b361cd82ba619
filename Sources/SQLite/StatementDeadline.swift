internal import CSQLite

/// A time at which a connection's statements are given up, by the monotonic clock.
///
/// For statements whose cost somebody else decides, such as conditions of clients.
public struct StatementDeadline: Sendable, Hashable {
    let nanoseconds: UInt64

    /// A time so far from now.
    public static func after(milliseconds: Int) -> StatementDeadline {
        StatementDeadline(nanoseconds: MonotonicTime.now() + UInt64(max(0, milliseconds)) * 1_000_000)
    }

    var isOver: Bool { MonotonicTime.now() >= nanoseconds }
}

extension Database {
    /// After how many of SQLite's instructions the clock is looked at: a row takes some tens of them.
    private static let instructionCount: Int32 = 500

    /// Puts the deadline in force, or takes it away.
    func applyDeadline() {
        guard deadline != nil else {
            sqlite3_progress_handler(handle, 0, nil, nil)
            return
        }
        sqlite3_progress_handler(
            handle, Self.instructionCount,
            { context in
                guard let context else { return 0 }
                let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                return database.deadline?.isOver == true ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
