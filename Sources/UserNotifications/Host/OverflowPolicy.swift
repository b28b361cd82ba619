/// Which requests stay pending when an app adds more than fit.
public enum OverflowPolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the ones added last, measured on iOS 18.5.
    case keepLastAdded = "keep-last-added"
    /// The ones that fire soonest, as Apple documents for `UILocalNotification`.
    case keepSoonest = "keep-soonest"
    /// The ones that are there: a new one is not taken.
    case reject
}
