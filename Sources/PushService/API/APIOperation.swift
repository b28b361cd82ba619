internal import APNs

/// One thing the API does: a row of the table that router and OpenAPI document are made from.
struct APIOperation: Sendable {
    /// Who may call.
    enum Access: Sendable, Hashable {
        /// Everybody, without any key.
        case anyone
        /// Whoever has a key of the app.
        case app
        /// Whoever has the app's master key; others are refused with a code.
        case master(refusalCode: Int)
    }

    /// A query parameter.
    struct Parameter: Sendable, Hashable {
        var name: String
        var summary: String
    }

    typealias Handler = @Sendable (PushAPI, APICall) async throws(APIError) -> APIAnswer

    /// In upper case.
    var method: String
    /// A path whose pieces that begin with a colon match anything but nothing.
    var pattern: String
    /// A name for the metrics and the OpenAPI document; unique.
    var id: String
    /// One line.
    var summary: String
    var access: Access
    /// Query parameters.
    var query: [Parameter] = []
    /// The name of the body's schema; nil without a body.
    var body: String?
    /// The name of the answer's schema.
    var answer: String
    /// The status of success.
    var status = 200
    /// Whether it may stand in a batch.
    var isBatchable = false
    var handler: Handler

    /// The pattern's pieces.
    var segments: [Substring] { pattern.dropFirst().split(separator: "/") }
}
