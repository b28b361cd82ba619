internal import APNs

/// `__children` in the bodies of `batch/save`: objects that are new too and that a field shall point to.
///
/// SDKs write `{"className", "cid", "key"}` for each: `cid` is the `__internalId` of the child's own request, which may
/// stand anywhere in the batch (LeanCloud: Swift SDK, requests of a batch).
enum BatchChildren {
    private struct Child {
        var className: String
        var id: String
        var key: String
    }

    /// The requests' places in an order that has every child before what points to it.
    ///
    /// - Throws: code 107 for what names no child, 104 for a child that is not in the batch, 1 for objects that point
    ///   to each other in a circle: SDKs save those in two requests.
    static func order(_ requests: [BatchRequest]) throws(APIError) -> [Int] {
        var places: [String: Int] = [:]
        for (index, request) in requests.enumerated() {
            if case .string(let id)? = request.body["__internalId"] { places[id] = index }
        }
        var order: [Int] = []
        var isDone = Array(repeating: false, count: requests.count)
        for start in requests.indices where !isDone[start] {
            // Depth first without recursion: a chain may be as long as the batch.
            var path = [start]
            while let index = path.last {
                var next: Int?
                for child in try children(of: requests[index], at: index) {
                    guard let place = places[child.id] else {
                        throw APIError(
                            code: 104,
                            "requests[\(index)].body.__children: cid: no request of the batch has it")
                    }
                    if !isDone[place] {
                        next = place
                        break
                    }
                }
                if let next {
                    guard !path.contains(next) else {
                        throw APIError(
                            code: 1, "requests[\(index)].body.__children: the objects point to each other")
                    }
                    path.append(next)
                } else {
                    path.removeLast()
                    if !isDone[index] { order.append(index) }
                    isDone[index] = true
                }
            }
        }
        return order
    }

    /// Puts pointers to the children that were saved into a request's body.
    static func link(_ request: inout BatchRequest, to saved: [String: JSONValue]) throws(APIError) {
        for child in try children(of: request, at: nil) {
            guard let objectID = saved[child.id]?["objectId"] else { continue }
            request.body[child.key] = [
                "__type": "Pointer", "className": .string(child.className), "objectId": objectID,
            ]
        }
    }

    private static func children(
        of request: BatchRequest, at index: Int?
    ) throws(APIError) -> [Child] {
        let path = (index.map { "requests[\($0)].body." } ?? "") + "__children"
        switch request.body["__children"] {
        case nil, .null?: return []
        case .array(let items)?:
            var children: [Child] = []
            for item in items {
                guard case .string(let className)? = item["className"], case .string(let id)? = item["cid"],
                    case .string(let key)? = item["key"]
                else { throw .malformed("\(path): each needs the texts className, cid and key") }
                children.append(Child(className: className, id: id, key: key))
            }
            return children
        case let other?: throw .malformed("\(path): \(other.kind) was found, an array is needed")
        }
    }
}
