/// How long an operator's question waits for the database, and by which clock.
struct Patience: Sendable {
    /// How long: less than load balancers and Prometheus usually wait.
    var limit = Duration.seconds(2)
    /// Waits so long, or until the task is cancelled.
    var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
}
