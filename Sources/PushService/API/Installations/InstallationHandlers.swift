internal import APNs
internal import PushStore
internal import Recurrence

/// `installations` and `classes/_Installation`.
enum InstallationHandlers {
    // MARK: - Saving

    /// Makes a row, or updates the one that the body's ids mean: SDKs always POST.
    static func create(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let saved = try await save(api, call, target: .matching)
        let row = saved.installation
        var object = fetched(saved, call)
        object["objectId"] = .string(row.objectID)
        object["createdAt"] = .string(row.createdAt.iso8601)
        if !saved.wasCreated { object["updatedAt"] = .string(row.updatedAt.iso8601) }
        return APIAnswer(
            .object(object), status: saved.wasCreated ? 201 : 200,
            headers: saved.wasCreated ? [("Location", "/1.1/installations/\(row.objectID)")] : [])
    }

    static func update(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let saved = try await save(api, call, target: .existing(objectID: call.parameter("id")))
        var object = fetched(saved, call)
        object["objectId"] = .string(saved.installation.objectID)
        object["updatedAt"] = .string(saved.installation.updatedAt.iso8601)
        return APIAnswer(.object(object))
    }

    static func save(
        _ api: PushAPI, _ call: APICall, target: InstallationChange.Target
    ) async throws(APIError) -> SavedInstallation {
        let change = InstallationChange(target: target, body: call.body, condition: try condition(call))
        do {
            return try await api.store.save(change, app: try call.app.number, now: call.now)
        } catch {
            throw APIError(any: error)
        }
    }

    /// The condition of a change.
    ///
    /// It is decided while all other changes wait, and the app key is in every copy of an app: what such a caller may
    /// ask has no `$regex`.
    private static func condition(_ call: APICall) throws(APIError) -> WhereClause? {
        let clause = try call.clause()
        if let clause, clause.hasRegularExpression, call.caller?.isMaster != true {
            throw APIError(
                status: 403, code: 119, "where: $regex in the condition of a change needs the master key")
        }
        return clause
    }

    /// The changed fields, where `fetchWhenSave` asks for them.
    private static func fetched(_ saved: SavedInstallation, _ call: APICall) -> [String: JSONValue] {
        call.isOn("fetchWhenSave") ? changedFields(saved) : [:]
    }

    static func changedFields(_ saved: SavedInstallation) -> [String: JSONValue] {
        shown(saved.installation).filter { saved.changedKeys.contains($0.key) }
    }

    /// A row as an answer's object: SDKs take an object with a key `error` for a failure, so that one is left out.
    static func shown(_ row: Installation) -> [String: JSONValue] {
        var object = row.object
        object["error"] = nil
        return object
    }

    // MARK: - Reading

    static func get(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let row: Installation?
        do {
            row = try await api.store.installation(
                objectID: call.parameter("id"), app: try call.app.number)
        } catch {
            throw APIError(any: error)
        }
        let selection = FieldSelection(call.text("keys"))
        return APIAnswer(.object(row.map { selection.applied(to: shown($0)) } ?? [:]))
    }

    static func list(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let query = try InstallationListRequest(call)
        return APIAnswer(try await results(of: query, api, call))
    }

    /// `cloudQuery`: the same as a list, in LeanCloud's query language.
    static func cloudQuery(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let query = try InstallationListRequest(cql: call)
        var answer = try await results(of: query, api, call)
        if case .object(var members) = answer {
            members["className"] = "_Installation"
            answer = .object(members)
        }
        return APIAnswer(answer)
    }

    private static func results(
        of query: InstallationListRequest, _ api: PushAPI, _ call: APICall
    ) async throws(APIError) -> JSONValue {
        do {
            let app = try call.app.number
            let rows = try await api.store.installations(query.find, app: app, now: call.now)
            var members: [String: JSONValue] = [
                "results": .array(rows.map { .object(query.selection.applied(to: shown($0))) })
            ]
            if query.wantsCount {
                let count = try await api.store.installationCount(
                    query.find.filter, app: app, now: call.now)
                members["count"] = .integer(Int64(count))
            }
            return .object(members)
        } catch {
            throw APIError(any: error)
        }
    }

    /// All rows in portions; the cursor is the number of the last row.
    static func scan(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        var after: Int64 = 0
        if let cursor = call.text("cursor"), !cursor.isEmpty {
            guard let number = Int64(cursor, radix: 36), number >= 0 else {
                throw APIError(code: 1, "cursor: it is none that this service gave")
            }
            after = number
        }
        let limit = InstallationListRequest.limit(call.text("limit"))
        let selection = FieldSelection(call.text("keys"))
        do {
            let rows = try await api.store.scanInstallations(
                try call.clause(), after: after, limit: limit, app: try call.app.number, now: call.now)
            var members: [String: JSONValue] = [
                "results": .array(rows.map { .object(selection.applied(to: shown($0))) })
            ]
            if rows.count == limit, let last = rows.last {
                members["cursor"] = .string(String(last.number, radix: 36))
            }
            return APIAnswer(.object(members))
        } catch {
            throw APIError(any: error)
        }
    }

    // MARK: - Deleting

    static func delete(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        do {
            let wasThere = try await api.store.deleteInstallation(
                objectID: call.parameter("id"), condition: try call.clause(), app: try call.app.number,
                now: call.now)
            guard wasThere else {
                throw APIError(status: 404, code: 101, "there is no installation with this objectId")
            }
            return APIAnswer([:])
        } catch {
            throw APIError(any: error)
        }
    }
}
