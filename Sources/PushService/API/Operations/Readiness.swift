/// Whether the service can do its work, told in time: whoever asks waits no longer than a load balancer does.
///
/// However many ask, the database is asked once at a time. Callable from any task.
struct Readiness: Sendable {
    private let database: TimelyAnswer<Bool>

    /// - Parameter ask: whether the database answers; may take long.
    init(patience: Patience = Patience(), ask: @escaping @Sendable () async -> Bool) {
        database = TimelyAnswer(patience: patience, ask: ask)
    }

    /// What the database says; false when it has said nothing in time.
    func isReady() async -> Bool { await database.answer() ?? false }
}
