import BelfryKit
import Foundation
import Synchronization

/// A push service of a test: keeps rows and requests, and fails as told.
final class TestService: HTTPTransport {
    enum Fault: Error, Sendable {
        case noNetwork
    }

    enum Answer: Sendable {
        case success
        case status(Int, String)
        case noNetwork
        /// The request has its effect, and the answer is lost.
        case lostAnswer
        case body(String)
        case busy(retryAfterSeconds: Double)
    }

    struct Call: Sendable {
        var path: String
        var headers: [String: String]
        var body: PayloadValue
    }

    private struct Contents: Sendable {
        var calls: [Call] = []
        var answers: [Answer] = []
        var otherwise = Answer.success
        var runningCount = 0
        var runningCountMax = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var isHolding = false
    }

    private let contents = Mutex(Contents())

    var calls: [Call] { contents.withLock { $0.calls } }
    var runningCountMax: Int { contents.withLock { $0.runningCountMax } }
    var runningCount: Int { contents.withLock { $0.runningCount } }
    func saves() -> [PayloadValue] { calls.filter { $0.path.hasSuffix("/installations") }.map(\.body) }

    /// The answers to the next requests; then `otherwise`.
    func answer(_ answers: Answer..., otherwise: Answer = .success) {
        contents.withLock {
            $0.answers = answers
            $0.otherwise = otherwise
        }
    }

    /// Lets requests hang until `release`.
    func hold() { contents.withLock { $0.isHolding = true } }

    func release() {
        let held = contents.withLock { contents in
            contents.isHolding = false
            defer { contents.held = [] }
            return contents.held
        }
        for continuation in held { continuation.resume() }
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let body = try JSONDecoder().decode(PayloadValue.self, from: request.body)
        let answer = contents.withLock { contents in
            contents.calls.append(Call(path: request.url.path, headers: request.headers, body: body))
            contents.runningCount += 1
            contents.runningCountMax = max(contents.runningCountMax, contents.runningCount)
            return contents.answers.isEmpty ? contents.otherwise : contents.answers.removeFirst()
        }
        await withCheckedContinuation { continuation in
            let goesOn = contents.withLock { contents in
                if contents.isHolding { contents.held.append(continuation) }
                return !contents.isHolding
            }
            if goesOn { continuation.resume() }
        }
        contents.withLock { $0.runningCount -= 1 }
        switch answer {
        case .success:
            return ServiceResponse(status: 201, body: Data(#"{"objectId":"0123456789abcdef01234567"}"#.utf8))
        case .status(let status, let text): return ServiceResponse(status: status, body: Data(text.utf8))
        case .noNetwork, .lostAnswer: throw Fault.noNetwork
        case .body(let text): return ServiceResponse(status: 200, body: Data(text.utf8))
        case .busy(let seconds):
            return ServiceResponse(status: 429, body: Data("{}".utf8), retryAfterSeconds: seconds)
        }
    }
}
