/// What `nextTriggerDate()` of a pending interval trigger counts from.
public enum IntervalDatePolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the moment of the call, as developers report of iOS.
    case fromNow = "from-now"
    /// The moment at which the request was added: when it really fires.
    case fromAdding = "from-adding"
}
