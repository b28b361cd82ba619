package import APNs

/// An answer that refuses a request.
package struct Rejection: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The text in the body.
    package let reason: Reason
    /// With status 410: since when the token is not valid, in milliseconds since 1970.
    package let timestampMilliseconds: Int64?

    /// Makes a refusal; a reason without a documented status gets 400.
    package init(_ reason: Reason, status: Int? = nil, timestampMilliseconds: Int64? = nil) {
        self.status = status ?? reason.status ?? 400
        self.reason = reason
        self.timestampMilliseconds = timestampMilliseconds
    }

    /// Whether APNs counts the refusal as the provider's error: 4xx but not 410.
    package var countsAsError: Bool { (400..<500).contains(status) && status != 410 }
}
