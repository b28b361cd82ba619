internal import APNs
internal import PushStore
internal import Recurrence

/// Behaviour events, and the analytics calls of old SDKs.
enum AnalyticsHandlers {
    /// How many openings one request may report.
    static let openCountMax = 100
    /// Members that name a notification, as payloads and SDKs carry it.
    private static let notificationKeys = [
        "notificationId", "notification_id", "notificationID", "_notificationId", "pushId",
    ]

    /// `events`: what people do in the app.
    static func events(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        do {
            let request = try EventRequest(.object(call.body), now: call.now)
            let found = try await api.store.recordEvents(
                request.events, app: try call.app.number, now: call.now)
            return APIAnswer(["accepted": .integer(Int64(found.count { $0 }))])
        } catch {
            throw APIError(any: error)
        }
    }

    /// The latest events of an installation.
    static func listEvents(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        guard let id = call.text("installation"), !id.isEmpty else {
            throw APIError(code: 104, "installation: the objectId of one is needed")
        }
        do {
            let found = try await api.store.recentEvents(
                objectID: id, limit: InstallationListRequest.limit(call.text("limit")),
                app: try call.app.number)
            return APIAnswer([
                "results": .array(
                    found.map { event in
                        var members: [String: JSONValue] = [
                            "name": .string(event.name), "at": .string(event.at.iso8601),
                            "properties": .object(event.properties),
                        ]
                        if let article = event.article { members["article"] = .string(article) }
                        return .object(members)
                    })
            ])
        } catch {
            throw APIError(any: error)
        }
    }

    /// `stats/collect` and the like: whatever they carry is taken, and openings that name a notification are counted.
    ///
    /// The form is LeanCloud's: `{"client": {"id"}, "events": [{"event", "attributes": {…}}]}`.
    static func collect(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let app = try call.app.number
        let device = installation(call.body)
        var opened: [String] = []
        find(.object(call.body), into: &opened)
        do {
            for id in opened {
                _ = try await api.store.countOpen(
                    record: id, installation: device, app: app, now: call.now)
            }
        } catch {
            throw APIError(any: error)
        }
        return APIAnswer([:])
    }

    /// The ids of notifications anywhere in what was sent.
    private static func find(_ value: JSONValue, into ids: inout [String]) {
        guard ids.count < openCountMax else { return }
        switch value {
        case .array(let elements):
            for element in elements { find(element, into: &ids) }
        case .object(let members):
            for key in notificationKeys {
                guard case .string(let id)? = members[key], (1...64).contains(id.utf8.count),
                    !ids.contains(id)
                else { continue }
                ids.append(id)
                break
            }
            for (_, member) in members.sorted(by: { $0.key < $1.key }) { find(member, into: &ids) }
        default: break
        }
    }

    /// What identifies the device that reports: an objectId, an installation id or a token.
    private static func installation(_ body: [String: JSONValue]) -> String? {
        for object in [.object(body), body["client"] ?? .null, body["attributes"] ?? .null] as [JSONValue] {
            for key in ["installation", "objectId", "deviceToken", "installationId", "id"] {
                switch object[key] {
                case .string(let text)? where !text.isEmpty: return text
                case let pointer?:
                    if case .string(let text)? = pointer["objectId"] { return text }
                case nil: break
                }
            }
        }
        return nil
    }

    /// `date`: the service's time.
    static func date(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        APIAnswer(["__type": "Date", "iso": .string(call.now.iso8601)])
    }
}
