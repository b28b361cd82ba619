internal import Foundation
internal import Recurrence

/// Sends signed requests to the push service (LeanCloud: REST API guide, request format).
struct ServiceClient: Sendable {
    let address: PushServiceAddress
    let transport: any HTTPTransport

    /// The largest answer of which anything is read, in bytes.
    private static let answerByteCountMax = 1 << 20

    /// Posts an object.
    ///
    /// - Parameters:
    ///   - path: what follows `/1.1/`.
    ///   - now: the time that is signed.
    /// - Returns: the answer's object.
    func post(
        _ body: PayloadValue, to path: String, at now: Instant
    ) async throws(ServiceFailure) -> PayloadValue {
        let request: ServiceRequest
        do {
            request = try self.request(body, to: path, at: now)
        } catch {
            throw ServiceFailure(kind: .answer(status: 400, code: nil), message: "body: \(error)")
        }
        let response: ServiceResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw ServiceFailure(kind: .unreachable, message: "\(path): \(error)")
        }
        let object =
            response.body.count > Self.answerByteCountMax
            ? nil : try? JSONDecoder().decode(PayloadValue.self, from: response.body)
        guard (200..<300).contains(response.status) else {
            throw ServiceFailure(
                kind: .answer(status: response.status, code: object?["code"]?.integer),
                message: "\(path): \(response.status) \(object?["error"]?.text ?? "")",
                retryAfterSeconds: response.retryAfterSeconds)
        }
        // A hotel's sign-in page answers 200, too.
        guard case .object? = object else {
            throw ServiceFailure(
                kind: .unreachable, message: "\(path): the answer is no object of the push service")
        }
        return object ?? .null
    }

    func request(_ body: PayloadValue, to path: String, at now: Instant) throws -> ServiceRequest {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ServiceRequest(
            method: "POST", url: address.url.appendingPathComponent("1.1").appendingPathComponent(path),
            headers: [
                "Content-Type": "application/json",
                "X-LC-Id": address.applicationID,
                "X-LC-Sign": Self.signature(key: address.applicationKey, at: now),
            ], body: try encoder.encode(body))
    }

    /// `md5(milliseconds + key),milliseconds`.
    static func signature(key: String, at now: Instant) -> String {
        let time = String(now.millisecondsSince1970)
        return MD5Digest.hexadecimal(of: Array((time + key).utf8)) + "," + time
    }
}
