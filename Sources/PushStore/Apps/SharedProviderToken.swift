/// A provider token that all nodes use until it has aged.
public struct SharedProviderToken: Sendable, Hashable {
    /// When it was signed, in seconds since 1970: its `iat`.
    public var issuedAt: Int64
    /// The JWT.
    ///
    /// A secret for as long as APNs takes it: one hour.
    public var text: String

    /// Makes one of its parts.
    public init(issuedAt: Int64, text: String) {
        self.issuedAt = issuedAt
        self.text = text
    }
}
