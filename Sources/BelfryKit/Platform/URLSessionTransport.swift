#if canImport(Darwin)
public import Foundation

/// HTTP through the system's `URLSession`.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession

    /// Makes a transport.
    ///
    /// - Parameter session: by default one that keeps no cookies and caches nothing.
    public init(session: URLSession = URLSession(configuration: .ephemeral)) {
        self.session = session
    }

    /// Sends a request.
    ///
    /// - Throws: what the session reports when no answer came.
    public func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        var message = URLRequest(url: request.url, timeoutInterval: request.timeoutSeconds)
        message.httpMethod = request.method
        message.httpBody = request.body
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: message)
        guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return ServiceResponse(
            status: answer.statusCode, body: body,
            retryAfterSeconds: answer.value(forHTTPHeaderField: "Retry-After").flatMap { Double($0) })
    }
}
#endif
