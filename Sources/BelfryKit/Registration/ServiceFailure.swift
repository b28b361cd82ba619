/// Why a request to the push service did not do what it should.
struct ServiceFailure: Error, Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// No answer came.
        case unreachable
        /// The service answered with an error.
        case answer(status: Int, code: Int64?)
    }

    var kind: Kind
    var message: String
    /// What the service asks to wait, in seconds.
    var retryAfterSeconds: Double?

    /// Whether the same request can succeed later.
    var isWorthRetrying: Bool {
        switch kind {
        case .unreachable: true
        case .answer(let status, _): status >= 500 || status == 429 || status == 408
        }
    }
}
