/// What setting the badge to 0 does to the delivered notifications.
public enum ZeroBadgePolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: they stay.
    case keepsDelivered = "keeps-delivered"
    /// They go, as with the badge property of `UIApplication`.
    case clearsDelivered = "clears-delivered"
}
