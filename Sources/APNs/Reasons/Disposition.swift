extension Reason {
    /// What a refusal asks of the sender.
    ///
    /// From Apple: Handling notification responses from APNs. `never` is exactly Apple's list of reasons
    /// after which the same request must not be sent again.
    public enum Disposition: Hashable, Sendable {
        /// Never again with this token and this payload.
        case never
        /// Only after the operator mended what the reason names: topic, header, credential or request.
        case fix
        /// Again with a new provider token.
        case renew
        /// Again after a delay.
        case later
        /// Not documented; the status decides.
        case unknown
    }
}

extension Reason.Disposition {
    /// What a status alone asks of the sender, for refusals without a known reason.
    ///
    /// 429 and 5xx ask for a delay, 410 means that the token is dead, other 4xx need mending.
    public init(status: Int) {
        switch status {
        case 410: self = .never
        case 429, 500...599: self = .later
        case 400...499: self = .fix
        default: self = .unknown
        }
    }
}
