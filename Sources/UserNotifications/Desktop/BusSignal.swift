/// A signal of the desktop's notification service.
enum BusSignal: Hashable, Sendable {
    case action(number: UInt32, key: String)
    case reply(number: UInt32, text: String)
    case closed(number: UInt32, reason: UInt32)
    /// The service has another owner: it was started, stopped or restarted.
    case restarted
}
