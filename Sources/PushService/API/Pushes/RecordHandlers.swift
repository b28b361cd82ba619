internal import APNs
internal import PushStore

/// Delivery records, and messages whose time has not come.
enum RecordHandlers {
    /// How many records one answer has at most.
    static let limitMax = 1000

    static func get(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        do {
            let record = try await api.store.record(id: call.parameter("id"), app: try call.app.number)
            return APIAnswer(.object(record.map(RecordView.object) ?? [:]))
        } catch {
            throw APIError(any: error)
        }
    }

    static func list(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        do {
            let records = try await api.store.records(
                limit: InstallationListRequest.limit(call.text("limit")),
                skip: min(
                    InstallationListRequest.skipMax, max(0, call.text("skip").flatMap { Int($0) } ?? 0)),
                app: try call.app.number)
            return APIAnswer(["results": .array(records.map { .object(RecordView.object($0)) })])
        } catch {
            throw APIError(any: error)
        }
    }

    static func delete(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let id = call.parameter("id")
        do {
            guard try await api.store.deleteRecord(id: id, app: try call.app.number, now: call.now) else {
                throw APIError(status: 404, code: 101, "there is no notification with this id")
            }
            api.wake()
            api.tell(.deleted, id, call)
            try await api.audit("notification.delete", "notification \(id)", call)
            return APIAnswer([:])
        } catch {
            throw APIError(any: error)
        }
    }

    // MARK: - Scheduled messages

    static func scheduled(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        do {
            let app = try call.app
            let pushes = try await api.store.scheduledPushes(app: app.number)
            return APIAnswer([
                "results": .array(pushes.map { .object(RecordView.scheduled($0, appID: app.id)) })
            ])
        } catch {
            throw APIError(any: error)
        }
    }

    static func getScheduled(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        do {
            let app = try call.app
            let number = Int64(call.parameter("id"))
            let pushes = try await api.store.scheduledPushes(app: app.number)
            let push = pushes.first { $0.number == number }
            return APIAnswer(.object(push.map { RecordView.scheduled($0, appID: app.id) } ?? [:]))
        } catch {
            throw APIError(any: error)
        }
    }

    static func deleteScheduled(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        do {
            guard let number = Int64(call.parameter("id")),
                try await api.store.cancelScheduledPush(
                    number: number, app: try call.app.number, now: call.now)
            else {
                throw APIError(status: 404, code: 101, "there is no scheduled message with this id")
            }
            api.wake()
            api.tell(.deletedMessage, "\(number)", call)
            try await api.audit("schedule.delete", "message \(number)", call)
            return APIAnswer([:])
        } catch {
            throw APIError(any: error)
        }
    }
}
