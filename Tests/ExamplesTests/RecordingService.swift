import BelfryKit
import Foundation
import Synchronization

/// Takes an app's requests in the place of the push service.
final class RecordingService: HTTPTransport {
    struct Failure: Error {}

    static let address = PushServiceAddress(
        url: URL(fileURLWithPath: "/"), applicationID: "news", applicationKey: "app-key")

    private let contents = Mutex((requests: [ServiceRequest](), status: 200))

    /// What the service answers; 0 for no answer at all.
    var status: Int {
        get { contents.withLock { $0.status } }
        set { contents.withLock { $0.status = newValue } }
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let status = contents.withLock { contents in
            contents.requests.append(request)
            return contents.status
        }
        guard status > 0 else { throw Failure() }
        return ServiceResponse(status: status, body: Data(#"{"objectId": "row1"}"#.utf8))
    }

    /// The bodies of requests to a path below `/1.1/`.
    func bodies(_ path: String) -> [PayloadValue] {
        contents.withLock { $0.requests }
            .filter { $0.url.path.hasSuffix("/1.1/" + path) }
            .compactMap { try? JSONDecoder().decode(PayloadValue.self, from: $0.body) }
    }
}
