internal import APNs
internal import PushStore
internal import Recurrence

/// `explain`: why a device did or did not get a push, step by step with evidence.
enum ExplainHandler {
    static func explain(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        guard let push = call.text("push"), let installation = call.text("installation") else {
            throw APIError(code: 1, "push and installation: the ids of both are needed")
        }
        do {
            let app = try call.app
            let evidence = try await api.store.evidence(
                push: push, installation: installation, app: app.number)
            guard let evidence else {
                throw APIError(status: 404, code: 101, "push: there is none with this id")
            }
            let credentials = try await api.store.credentials(app: app.number)
            return APIAnswer(
                Explanation(evidence, app: app, credentials: credentials, now: call.now).json)
        } catch {
            throw APIError(any: error)
        }
    }
}
