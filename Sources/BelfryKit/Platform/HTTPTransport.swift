/// Sends one HTTP request and receives the whole answer.
///
/// On Apple's systems it is `URLSessionTransport`; elsewhere whoever runs the app has a client. Called on any thread.
public protocol HTTPTransport: Sendable {
    /// Sends a request.
    ///
    /// - Throws: anything when no answer came; an answer of any status is none.
    func send(_ request: ServiceRequest) async throws -> ServiceResponse
}
