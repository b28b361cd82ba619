internal import APNs
internal import PushStore
internal import Recurrence

/// `push`, `push/devices`, and what can be done with a push on its way.
enum PushHandlers {
    /// How many devices a second are reckoned with where a push names no limit: a third of what two cores do beside
    /// a gateway, since the way to Apple is longer.
    static let devicesPerSecondReckoned = 20_000

    static func send(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        try checkRights(call)
        return try await send(try PushRequestReader.push(call), api, call)
    }

    static func sendToDevices(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        try checkRights(call)
        return try await send(try PushRequestReader.devices(call), api, call)
    }

    /// Looks at nothing of the body before it is known who asks.
    private static func checkRights(_ call: APICall) throws(APIError) {
        let app = try call.app
        guard call.isMaster || app.settings.allowsClientPush else {
            throw APIError(
                status: 403, code: 403,
                "sending needs the master key: this app does not allow clients to send")
        }
    }

    private static func send(
        _ request: PushRequest, _ api: PushAPI, _ call: APICall
    ) async throws(APIError) -> APIAnswer {
        let app = try call.app
        let isDryRun = try PushRequestReader.isDryRun(call)
        var request = request
        if !isDryRun {
            do throws(ChangeError) {
                request = try PushMessageCheck.checked(request, app: app, now: call.now)
            } catch {
                throw APIError(any: error)
            }
        }
        if isDryRun {
            guard call.isMaster else {
                throw APIError(status: 403, code: 403, "dry_run needs the master key")
            }
            return APIAnswer(try await dryRun(request, api, call))
        }
        do {
            let (push, isNew) = try await api.store.createPush(request, app: app, now: call.now)
            if isNew {
                api.wake()
                api.tell(.accepted, push.objectID, call)
                if push.request.schedule != nil {
                    try await api.audit("schedule.create", "push \(push.objectID)", call)
                }
            }
            return APIAnswer([
                "objectId": .string(push.recordID), "createdAt": .string(push.createdAt.iso8601),
                "pushId": .string(push.objectID),
            ])
        } catch {
            throw APIError(any: error)
        }
    }

    /// What would happen: findings, audience, predicted end; nothing is stored or sent.
    private static func dryRun(
        _ request: PushRequest, _ api: PushAPI, _ call: APICall
    ) async throws(APIError) -> JSONValue {
        let app = try call.app
        do {
            let audience =
                request.deviceTokens == nil
                ? try await api.store.audience(of: request, app: app, now: call.now) : nil
            let count = audience?.total ?? request.deviceTokens?.count ?? 0
            let perSecond = request.devicesPerSecondMax ?? devicesPerSecondReckoned
            var start = call.now
            if case .at(let instant) = request.time { start = instant }
            let end = start.advanced(byMilliseconds: Int64(count) * 1000 / Int64(max(1, perSecond)))
            var answer: [String: JSONValue] = [
                "dryRun": true, "devices": .integer(Int64(count)),
                "findings": .array(
                    PushMessageCheck.findings(request, app: app, now: call.now).map(PushMessageCheck.json)),
                "predictedEnd": .string(end.iso8601),
            ]
            if let audience {
                answer["audience"] = [
                    "environments": counts(audience.environments) { $0.rawValue },
                    "languages": counts(audience.locales) { $0 },
                    "timeZones": counts(audience.timeZones) { $0 },
                ]
            }
            return .object(answer)
        } catch {
            throw APIError(any: error)
        }
    }

    private static func counts<Key: Hashable>(
        _ counts: [Key?: Int], _ name: (Key) -> String
    ) -> JSONValue {
        .object(
            Dictionary(
                counts.map { ($0.key.map(name) ?? "unknown", JSONValue.integer(Int64($0.value))) },
                uniquingKeysWith: { first, _ in first }))
    }

    // MARK: - On its way

    static func pause(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        try await set(.paused, "push.pause", api, call)
    }

    static func resume(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        try await set(.running, "push.resume", api, call)
    }

    static func cancel(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        try await set(.cancelled, "push.cancel", api, call)
    }

    /// Changes the push with an id, or all pushes of the record with it.
    private static func set(
        _ state: Push.State, _ action: String, _ api: PushAPI, _ call: APICall
    ) async throws(APIError) -> APIAnswer {
        let id = call.parameter("id")
        do {
            let app = try call.app.number
            var pushes: [Push] = []
            if let push = try await api.store.setState(state, push: id, app: app, now: call.now) {
                pushes = [push]
            } else if let record = try await api.store.record(id: id, app: app) {
                for push in record.pushes {
                    if let push = try await api.store.setState(
                        state, push: push.objectID, app: app, now: call.now)
                    {
                        pushes.append(push)
                    }
                }
            }
            guard let last = pushes.last else {
                throw APIError(status: 404, code: 101, "there is no push with this id")
            }
            api.wake()
            // One that has ended stays as it is.
            if let kind = PushAct.Kind(state) {
                let states: Set<Push.State> = state == .running ? [.running, .scheduled] : [state]
                for push in pushes where states.contains(push.state) { api.tell(kind, push.objectID, call) }
            }
            try await api.audit(action, "push \(id)", call)
            return APIAnswer([
                "objectId": .string(last.recordID), "pushId": .string(last.objectID),
                "state": .string(last.state.rawValue), "updatedAt": .string(call.now.iso8601),
            ])
        } catch {
            throw APIError(any: error)
        }
    }
}
