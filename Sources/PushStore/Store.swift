/// All that a push service keeps: the seam between the service and a database.
///
/// Every method is safe to call from any task; the database's own threads block, the caller suspends. A
/// method that changes something has changed all of it, durably, when it returns, and nothing when it throws.
/// Time is always a parameter.
public protocol Store: AppStore, AuditStore, ConsoleStore, EventStore, ImportStore, InstallationStore,
    ProviderTokenStore, PushQueueStore, RequestRateStore, WebhookStore
{
    /// Why this program cannot work with the database any more, in a sentence; nil while it can.
    ///
    /// A newer program that shares the database may have changed it so. Then nothing is claimed or planned here any
    /// more; what senders hold they may bring to its end. Noticed within a second or two by a store that is asked
    /// to ``PushQueueStore/advance(now:)``, and over once the change is taken back.
    var incompatibility: String? { get }

    /// The version of the database's schema that this program knows: it brings an older one there when it opens it.
    var schemaVersion: Int { get }

    /// Finishes what waits and closes the database.
    func close() async
}

extension Store {
    /// Nothing: no other program changes the database meanwhile.
    public var incompatibility: String? { nil }
}
