package import APNs
package import PushStore
internal import Transport

/// The API's operations for other parts of the service, such as the console, which know their callers themselves.
extension PushAPI {
    /// Answers an operation as it answers the app's master key.
    ///
    /// - Parameters:
    ///   - method: in upper case.
    ///   - path: such as `/1.1/push`; its pieces are not decoded.
    ///   - query: parameters.
    ///   - body: the body's members.
    ///   - app: the app it is about.
    ///   - actor: who is named in the audit log.
    package func perform(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [],
        body: [String: JSONValue] = [:], app: App, actor: String
    ) async throws(APIError) -> JSONValue {
        let request = HTTPRequest(
            method: method, path: path, query: query, body: APIBody.encoded(.object(body)))
        let (operation, parameters) = try find(request)
        let call = APICall(
            request: request, parameters: parameters, caller: caller(app, actor), body: body, now: now())
        return try await operation.handler(self, call).json
    }

    /// Reads the body of a push as `POST /1.1/push` does; nothing is stored.
    package func readPush(_ body: [String: JSONValue], app: App) throws(APIError) -> PushRequest {
        let request = HTTPRequest(
            method: "POST", path: "/1.1/push", body: APIBody.encoded(.object(body)))
        return try PushRequestReader.push(
            APICall(request: request, parameters: [:], caller: caller(app, ""), body: body, now: now()))
    }

    /// What is wrong with a push's message or likely not meant.
    package func findings(_ request: PushRequest, app: App) -> [MessageFinding] {
        PushMessageCheck.findings(request, app: app, now: now())
    }

    private func caller(_ app: App, _ actor: String) -> Caller {
        Caller(app: app, isMaster: true, isProduction: nil, actor: actor)
    }
}
