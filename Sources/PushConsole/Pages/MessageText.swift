internal import APNs
internal import PushStore

/// What a push says, for lists: the first text of its data.
struct MessageText {
    var title: String?
    var body: String?

    init(_ data: [String: JSONValue]) {
        var alert = data["alert"]
        if alert == nil, case .object(let aps)? = data["aps"] { alert = aps["alert"] }
        if alert == nil, case .object(let platform)? = data["ios"] { alert = platform["alert"] }
        if alert == nil {
            alert = data.filter { $0.key.hasPrefix("alert-") }.min { $0.key < $1.key }?.value
        }
        switch alert {
        case .string(let text): body = text
        case .object(let members):
            title = Self.text(members["title"])
            body = Self.text(members["body"]) ?? Self.text(members["loc-key"])
        default: break
        }
        title = title ?? Self.text(data["title"])
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value, !text.isEmpty { text } else { nil }
    }

    /// One line; nil for a push that shows nothing.
    var line: String? { title ?? body }
}
