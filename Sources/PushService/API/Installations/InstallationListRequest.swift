internal import APNs
internal import PushStore

/// What a list request asks: `where`, `order`, `limit`, `skip`, `keys`, `count` (LeanCloud: REST API guide, Queries).
struct InstallationListRequest: Sendable {
    static let limitDefault = 100
    /// How many rows may be left out; further ones are reached by `scan`.
    static let skipMax = 1_000_000

    var find: InstallationFind
    var selection: FieldSelection
    var wantsCount: Bool

    init(_ call: APICall) throws(APIError) {
        wantsCount = call.isOn("count")
        find = InstallationFind(
            filter: try call.clause(), order: Self.order(call.text("order")),
            limit: Self.limit(call.text("limit"), wantsCount: wantsCount),
            skip: min(Self.skipMax, max(0, call.text("skip").flatMap { Int($0) } ?? 0)))
        selection = FieldSelection(call.text("keys"))
    }

    /// Reads `cql` and its `pvalues`.
    init(cql call: APICall) throws(APIError) {
        guard let text = call.text("cql") else {
            throw APIError(code: 300, "cql: it is missing")
        }
        var values: [JSONValue] = []
        if let list = call.text("pvalues"), !list.isEmpty {
            guard case .array(let elements) = try APIBody.value(Array(list.utf8), "pvalues") else {
                throw .malformed("pvalues: a JSON array is needed")
            }
            values = elements
        }
        let query: CQL
        do {
            query = try CQL(text, values: values)
        } catch {
            throw APIError(error)
        }
        wantsCount = query.wantsCount
        find = InstallationFind(
            filter: query.filter, order: query.order,
            limit: query.limit.map { min($0, InstallationFind.limitMax) } ?? Self.limitDefault,
            skip: min(query.skip, Self.skipMax))
        selection = FieldSelection(keys: query.keys ?? [])
    }

    /// 1 to 1000; anything else means 100, but 0 where only the count is asked for.
    static func limit(_ text: String?, wantsCount: Bool = false) -> Int {
        guard let limit = text.flatMap({ Int($0) }) else { return limitDefault }
        if limit == 0, wantsCount { return 0 }
        return (1...InstallationFind.limitMax).contains(limit) ? limit : limitDefault
    }

    /// `a,-b`: by `a`, then by `b` with large values first.
    private static func order(_ text: String?) -> [InstallationFind.Order] {
        (text ?? "").split(separator: ",").compactMap { part in
            let key = part.filter { $0 != " " }
            if key.hasPrefix("-") {
                return InstallationFind.Order(key: String(key.dropFirst()), isDescending: true)
            }
            // A plus sign in a URL is a blank unless it is encoded.
            let name = key.hasPrefix("+") ? String(key.dropFirst()) : key
            return name.isEmpty ? nil : InstallationFind.Order(key: name)
        }
    }
}
