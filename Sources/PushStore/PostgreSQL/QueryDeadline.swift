internal import PostgreSQL

/// When a query whose cost a client's condition decides is given up.
package struct QueryDeadline: Sendable {
    private let end: ContinuousClock.Instant

    /// A time so far from now; what is waited for until the query begins counts.
    init(milliseconds: Int) {
        end = .now + .milliseconds(milliseconds)
    }

    /// Has the server give statements of the transaction up when the time is over.
    ///
    /// - Throws: `tooCostly` when it is over.
    func apply(to session: Session) throws {
        let milliseconds = Int(ContinuousClock.now.duration(to: end) / .milliseconds(1))
        guard milliseconds > 0 else { throw Self.error }
        try session.query(
            "SELECT set_config('statement_timeout', $1, true)", [.text("\(milliseconds)")])
    }

    static let error = StoreError(
        .tooCostly, "where: the query takes too long; fewer rows or a simpler condition will do")
}
