internal import APNs
public import PushStore
public import Recurrence
public import Transport

/// The REST API of the push service: LeanCloud's contract, and extensions beside it.
///
/// Answers requests of a server or of tests; keeps nothing but caches. Safe from any task.
public final class PushAPI: Sendable {
    /// The largest body of any request, in bytes; give it to the server too.
    public static let bodyByteCountMax = 1 << 20

    let store: any Store
    let directory: AppDirectory
    let metrics = RequestMetrics()
    let readiness: Readiness
    let storeMetrics: TimelyAnswer<String>
    let moreMetrics: @Sendable () -> String
    private let limiter: RateLimiter
    private let router = APIRouter(APIOperations.all)
    let now: @Sendable () -> Instant
    private let wakeDelivery: @Sendable () -> Void
    private let reportFailure: @Sendable (_ operation: String, _ cause: String) -> Void
    private let reportAct: @Sendable (PushAct) -> Void

    /// Makes an API.
    ///
    /// - Parameters:
    ///   - store: what it answers from.
    ///   - now: the time.
    ///   - wakeDelivery: called after a push was accepted or changed, from any task; must not block.
    ///   - reportFailure: called with an operation's name and the cause when a request fails by the service's own fault,
    ///     from any task; must not block.
    ///   - reportAct: called when a push was accepted, or somebody paused, resumed, cancelled or deleted one, from any
    ///     task; must not block.
    ///   - moreMetrics: lines for `/metrics` of other parts of the service, in Prometheus' text format.
    public convenience init(
        store: any Store, now: @escaping @Sendable () -> Instant,
        wakeDelivery: @escaping @Sendable () -> Void = {},
        reportFailure: @escaping @Sendable (_ operation: String, _ cause: String) -> Void = { _, _ in },
        reportAct: @escaping @Sendable (PushAct) -> Void = { _ in },
        moreMetrics: @escaping @Sendable () -> String = { "" }
    ) {
        self.init(
            store: store, now: now, patience: Patience(), wakeDelivery: wakeDelivery,
            reportFailure: reportFailure, reportAct: reportAct, moreMetrics: moreMetrics)
    }

    /// Makes an API whose answers to operators wait for the database as long as is said.
    init(
        store: any Store, now: @escaping @Sendable () -> Instant, patience: Patience,
        wakeDelivery: @escaping @Sendable () -> Void = {},
        reportFailure: @escaping @Sendable (_ operation: String, _ cause: String) -> Void = { _, _ in },
        reportAct: @escaping @Sendable (PushAct) -> Void = { _ in },
        moreMetrics: @escaping @Sendable () -> String = { "" }
    ) {
        self.store = store
        limiter = RateLimiter(store: store)
        self.now = now
        self.wakeDelivery = wakeDelivery
        self.reportFailure = reportFailure
        self.reportAct = reportAct
        self.moreMetrics = moreMetrics
        let directory = AppDirectory(store: store)
        self.directory = directory
        readiness = Readiness(patience: patience) { (try? await store.administrationRevision()) != nil }
        storeMetrics = TimelyAnswer(patience: patience) {
            do {
                return try await StoreMetrics(store: store, directory: directory, now: now()).text()
            } catch {
                if let cause = APIError(any: error).cause { reportFailure("metrics", cause) }
                return nil
            }
        }
    }

    // MARK: - Requests

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = ContinuousClock.now
        var operationID = "none"
        var response: HTTPResponse
        if request.method == "OPTIONS" {
            operationID = "preflight"
            response = CrossOrigin.preflight()
        } else {
            do throws(APIError) {
                response = try await answer(request, &operationID).response
            } catch {
                report(error, in: operationID)
                response = error.response
            }
        }
        CrossOrigin.mark(&response)
        metrics.count(operationID, status: response.status, duration: ContinuousClock.now - start)
        return response
    }

    /// The answer to a request that never reached the API, in the form of the API's errors.
    public static func rejection(status: Int, message: String) -> HTTPResponse {
        let code =
            switch status {
            case 413: 116
            case 429: 429
            case 503: 502
            default: 1
            }
        var response = APIError(status: status, code: code, message).response
        CrossOrigin.mark(&response)
        return response
    }

    private func answer(
        _ request: HTTPRequest, _ operationID: inout String
    ) async throws(APIError) -> APIAnswer {
        guard request.body.count <= Self.bodyByteCountMax else {
            throw APIError(
                status: 413, code: 116,
                "the body has \(request.body.count) bytes, \(Self.bodyByteCountMax) are allowed")
        }
        let request = try BodyOverride.applied(to: request)
        let (operation, parameters) = try find(request)
        operationID = operation.id
        // Before anything is read or changed of which this program does not know what it means now.
        if operation.access != .anyone, store.incompatibility != nil { throw .outdated }
        let now = now()
        let caller = try await caller(request, operation, now)
        if let caller { try await limiter.admit(1, app: caller.app, now: now) }
        let body = operation.body == nil ? [:] : try APIBody.object(request.body)
        let call = APICall(
            request: request, parameters: parameters, caller: caller, body: body, now: now)
        return try await operation.handler(self, call)
    }

    private func caller(
        _ request: HTTPRequest, _ operation: APIOperation, _ now: Instant
    ) async throws(APIError) -> Caller? {
        guard operation.access != .anyone else { return nil }
        let caller = try await directory.caller(of: try RequestProof(request.headers), now: now)
        try Self.check(caller, operation)
        return caller
    }

    private static func check(_ caller: Caller?, _ operation: APIOperation) throws(APIError) {
        guard case .master(let refusalCode) = operation.access, caller?.isMaster != true else { return }
        throw APIError(
            status: 403, code: refusalCode,
            "\(operation.method) \(operation.pattern) needs the master key (X-LC-Key: <master key>,master)")
    }

    func find(
        _ request: HTTPRequest
    ) throws(APIError) -> (APIOperation, parameters: [String: String]) {
        switch router.match(method: request.method, segments: request.pathSegments) {
        case .operation(let operation, let parameters): return (operation, parameters)
        case .methods(let methods):
            throw APIError(
                status: 405, code: 1,
                "\(request.method.prefix(20)) is not taken here, only \(methods.joined(separator: ", "))")
        case .nothing: throw .nothing(at: request.path)
        }
    }

    // MARK: - For handlers

    /// Tells whoever keeps the log of a failure that is the service's own fault; what is the client's is not told.
    package func report(_ error: any Error, in operation: String) {
        if let cause = APIError(any: error).cause { reportFailure(operation, cause) }
    }

    /// Tells whoever keeps the log of what was done with a push.
    func tell(_ kind: PushAct.Kind, _ id: String, _ call: APICall) {
        guard let caller = call.caller else { return }
        let actor = caller.actor ?? (caller.isMaster ? "master key" : "app key")
        reportAct(PushAct(kind: kind, id: id, app: caller.app.id, actor: actor))
    }

    /// Tells delivery that there is something to do.
    func wake() { wakeDelivery() }

    /// Counts the further requests of a batch.
    func admit(_ count: Int, _ call: APICall) async throws(APIError) {
        guard count > 0 else { return }
        try await limiter.admit(count, app: try call.app, now: call.now)
    }

    /// Notes an administrative act.
    func audit(_ action: String, _ detail: String, _ call: APICall) async throws(APIError) {
        do {
            try await store.recordAudit(
                AuditEntry(
                    at: call.now, app: try call.app.number, actor: call.caller?.actor ?? "master key",
                    action: action,
                    detail: detail))
        } catch {
            throw APIError(any: error)
        }
    }

    /// The operation and call that a request of a batch means; the batch's caller makes it.
    func find(
        _ part: BatchRequest, in call: APICall
    ) throws(APIError) -> (APIOperation, APICall) {
        guard
            var request = HTTPRequest(
                method: part.method, rawTarget: part.target, headers: call.request.headers, body: [],
                remoteAddress: call.request.remoteAddress)
        else { throw APIError(code: 1, "path: '\(part.target.prefix(100))' is malformed") }
        for (name, value) in part.parameters.sorted(by: { $0.key < $1.key }) {
            request.query.append((name: name, value: BodyOverride.text(value)))
        }
        let (operation, parameters) = try find(request)
        guard operation.isBatchable else {
            throw APIError(code: 1, "\(part.method) \(request.path.prefix(200)): it cannot stand in a batch")
        }
        try Self.check(call.caller, operation)
        if operation.body != nil { request.body = APIBody.encoded(.object(part.body)) }
        return (
            operation,
            APICall(
                request: request, parameters: parameters, caller: call.caller, body: part.body, now: call.now)
        )
    }

    /// Answers a request of a batch.
    func perform(_ part: BatchRequest, in call: APICall) async throws(APIError) -> APIAnswer {
        let (operation, call) = try find(part, in: call)
        return try await operation.handler(self, call)
    }
}
