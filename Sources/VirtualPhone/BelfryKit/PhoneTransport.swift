public import BelfryKit
internal import Foundation
internal import Transport

/// Sends the app library's requests over the machine's network, as long as the phone has a connection; on iOS
/// `URLSessionTransport` has its place.
///
/// A phone that is waited for is at rest only when the requests of its apps are answered.
public final class PhoneTransport: HTTPTransport {
    private let application: Application?
    private let client = HTTPClient()

    /// Makes the transport of an app.
    public init(_ application: Application) { self.application = application }

    /// Makes the transport of an app's extension, which only runs when a push has come, so that there is a network.
    public init() { application = nil }

    deinit { client.close() }

    /// Sends a request.
    ///
    /// - Throws: `link` in airplane mode, or what the network says.
    public func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        guard let application else { return try await sendNow(request) }
        guard application.isOnline else { throw PhoneError(.link, "the phone has no connection") }
        return try await application.whileBusy { try await sendNow(request) }
    }

    private func sendNow(_ request: ServiceRequest) async throws -> ServiceResponse {
        let answer = try await client.send(
            HTTPClientRequest(
                method: request.method, url: request.url.absoluteString,
                headers: request.headers.sorted { $0.key < $1.key }.map {
                    .init(name: $0.key, value: $0.value)
                },
                body: request.body.isEmpty ? nil : Array(request.body),
                timeout: .milliseconds(Int64(request.timeoutSeconds * 1000))))
        return ServiceResponse(
            status: answer.status, body: Data(answer.body),
            retryAfterSeconds: answer.headers.first(named: "retry-after").flatMap(Double.init))
    }
}
