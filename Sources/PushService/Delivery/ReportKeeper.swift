internal import PushStore
internal import Recurrence

/// Stores what a sender found out, however long the database is away or has no room.
///
/// It is known nowhere else: what is not stored is sent again.
struct ReportKeeper: Sendable {
    /// How often an error of the database that need not pass is met: one that does not is told to whoever sends.
    private static let failureCountMax = 10

    /// The pause between two attempts.
    var pause = Duration.milliseconds(200)
    /// Waits so long.
    var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

    /// Whether the same may go later.
    static func isPassing(_ error: StoreError) -> Bool {
        [.unavailable, .uncertain, .overloaded, .full].contains(error.code)
    }

    /// Tries until it goes, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - lease: until when the batch is its sender's, counted from now.
    ///   - store: stores a report; one that may have been kept comes once more.
    /// - Throws: what the store throws otherwise; `leaseLost` when another has taken the batch over meanwhile.
    func keep(
        _ report: BatchReport, lease: () -> Instant,
        store: (BatchReport) async throws(StoreError) -> Push.State
    ) async throws(StoreError) -> Push.State {
        var report = report
        var failureCount = 0
        while true {
            do throws(StoreError) {
                return try await store(report)
            } catch {
                if error.code == .database { failureCount += 1 }
                let isWorthRepeating =
                    error.code == .database ? failureCount < Self.failureCountMax : Self.isPassing(error)
                guard isWorthRepeating, !Task.isCancelled else { throw error }
            }
            await sleep(pause)
            if case .goOn = report.next { report.next = .goOn(leaseUntil: lease()) }
        }
    }
}
