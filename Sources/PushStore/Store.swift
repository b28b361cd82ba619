/// All that a push service keeps: the seam between the service and a database.
///
/// Every method is safe to call from any task; the database's own threads block, the caller suspends. A
/// method that changes something has changed all of it, durably, when it returns, and nothing when it throws.
/// Time is always a parameter.
public protocol Store: AppStore, AuditStore, ConsoleStore, EventStore, ImportStore, InstallationStore,
    ProviderTokenStore, PushQueueStore, RequestRateStore, WebhookStore
{
    /// Finishes what waits and closes the database.
    func close() async
}
