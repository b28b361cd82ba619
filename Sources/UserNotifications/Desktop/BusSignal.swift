/// A signal of the desktop's notification service, or about it.
enum BusSignal: Hashable, Sendable {
    case action(number: UInt32, key: String)
    case reply(number: UInt32, text: String)
    case closed(number: UInt32, reason: UInt32)
    /// The service was started, stopped or restarted: the new owner of its name, nil when there is none.
    case owner(String?)
}
