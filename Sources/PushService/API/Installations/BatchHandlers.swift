internal import APNs
internal import PushStore
internal import Recurrence
internal import Transport

/// `batch` and `batch/save`: several requests in one, authenticated once, in their order.
enum BatchHandlers {
    /// How many requests one batch carries at most.
    static let requestCountMax = 1000

    /// Answers an array with `{"success"}` or `{"error"}` for each request.
    static func batch(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let requests = try requests(call)
        try await api.admit(requests.count - 1, call)
        var results: [JSONValue] = []
        results.reserveCapacity(requests.count)
        for request in requests {
            do throws(APIError) {
                results.append(.object(["success": try await api.perform(request, in: call).json]))
            } catch {
                api.report(error, in: "batch")
                results.append([
                    "error": ["code": .integer(Int64(error.code)), "error": .string(error.message)]
                ])
            }
        }
        return APIAnswer(.array(results))
    }

    /// Answers one object with the saved fields of each, by the id the SDK gave it or by its objectId.
    ///
    /// SDKs take the answer for one of a single request: the first failure ends it, and what was saved before stays
    /// saved, as with LeanCloud.
    static func save(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        var requests = try requests(call)
        try await api.admit(requests.count - 1, call)
        var answer: [String: JSONValue] = [:]
        for index in try BatchChildren.order(requests) {
            do throws(APIError) {
                try BatchChildren.link(&requests[index], to: answer)
                let (key, fields) = try await save(requests[index], api, call)
                answer[key] = .object(fields)
            } catch {
                var failure = error
                failure.message = "requests[\(index)]: \(error.message)"
                throw failure
            }
        }
        return APIAnswer(.object(answer))
    }

    private static func save(
        _ request: BatchRequest, _ api: PushAPI, _ call: APICall
    ) async throws(APIError) -> (key: String, fields: [String: JSONValue]) {
        let (operation, part) = try api.find(request, in: call)
        let target: InstallationChange.Target
        switch operation.id {
        case "createInstallation", "createInstallationObject": target = .matching
        case "updateInstallation", "updateInstallationObject":
            target = .existing(objectID: part.parameter("id"))
        default:
            throw APIError(
                code: 1, "\(request.method) \(request.target.prefix(200)): only saving is allowed here")
        }
        let saved = try await InstallationHandlers.save(api, part, target: target)
        var fields = InstallationHandlers.changedFields(saved)
        let row = saved.installation
        fields["objectId"] = .string(row.objectID)
        fields["createdAt"] = .string(row.createdAt.iso8601)
        fields["updatedAt"] = .string(row.updatedAt.iso8601)
        // The SDK finds its object by the key it knows: its objectId when it has one.
        if case .existing(let objectID) = target { return (objectID, fields) }
        if case .string(let id)? = request.body["objectId"] { return (id, fields) }
        if case .string(let id)? = request.body["__internalId"] { return (id, fields) }
        return (row.objectID, fields)
    }

    private static func requests(_ call: APICall) throws(APIError) -> [BatchRequest] {
        guard case .array(let items)? = call.body["requests"] else {
            throw .malformed("requests: an array is needed")
        }
        guard items.count <= requestCountMax else {
            throw APIError(
                code: 154, "requests: \(items.count) were found, \(requestCountMax) are allowed")
        }
        var requests: [BatchRequest] = []
        for (index, item) in items.enumerated() {
            requests.append(try BatchRequest(item, at: "requests[\(index)]"))
        }
        return requests
    }
}

/// One request of a batch.
struct BatchRequest: Sendable {
    /// In upper case.
    var method: String
    /// A path, perhaps with a query.
    var target: String
    var body: [String: JSONValue]
    /// More query parameters.
    var parameters: [String: JSONValue]

    init(_ json: JSONValue, at path: String) throws(APIError) {
        guard case .object(let members) = json else {
            throw .malformed("\(path): \(json.kind) was found, an object is needed")
        }
        guard case .string(let method)? = members["method"] else {
            throw .malformed("\(path).method: a string is needed")
        }
        guard case .string(let target)? = members["path"], target.hasPrefix("/1.1/") else {
            throw .malformed("\(path).path: a path that begins with /1.1/ is needed")
        }
        self.method = method.uppercased()
        self.target = target
        body = try Self.object(members["body"], "\(path).body")
        parameters = try Self.object(members["params"], "\(path).params")
    }

    private static func object(
        _ json: JSONValue?, _ path: String
    ) throws(APIError) -> [String: JSONValue] {
        switch json {
        case nil, .null?: return [:]
        case .object(let members)?: return members
        case let other?: throw .malformed("\(path): \(other.kind) was found, an object is needed")
        }
    }
}
