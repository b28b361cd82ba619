internal import APNs
internal import PushStore

extension Composition {
    /// What was sent once, to be sent again: its texts, options and audience, but not its time.
    init(again request: PushRequest) {
        self.init()
        var rest = request.data
        texts = [Text()]
        if let alert = rest.removeValue(forKey: "alert") { texts[0] = Self.text(alert, language: "") }
        if case .string(let title)? = rest["title"], texts[0].title.isEmpty {
            texts[0].title = title
            rest["title"] = nil
        }
        for (key, value) in request.data.sorted(by: { $0.key < $1.key }) where key.hasPrefix("alert-") {
            guard texts.count < Self.countMax else { break }
            texts.append(Self.text(value, language: String(key.dropFirst("alert-".count))))
            rest[key] = nil
        }
        sound = Self.take("sound", &rest) ?? ""
        interruption = Self.take("interruption-level", &rest) ?? ""
        thread = Self.take("thread-id", &rest) ?? ""
        category = Self.take("category", &rest) ?? ""
        collapseID = Self.take("collapse-id", &rest) ?? ""
        switch rest["badge"] {
        case .string(let text)?: badge = text
        case .integer(let number)?: badge = String(number)
        default: break
        }
        rest["badge"] = nil
        ignoresQuietHours = request.ignoresQuietHours
        ignoresFrequencyCap = request.ignoresFrequencyCap
        if !rest.isEmpty { custom = JSONText.pretty(.object(rest)) }
        if let names = request.channels {
            audience = .channels
            channels = names.joined(separator: ", ")
        } else if let filter = request.filter {
            audience = .condition
            json = JSONText.pretty(filter.json)
        }
        switch request.environment {
        case .production?: environment = "prod"
        case .sandbox?: environment = "dev"
        case nil: break
        }
    }

    private static func take(_ key: String, _ rest: inout [String: JSONValue]) -> String? {
        guard case .string(let text)? = rest[key] else { return nil }
        rest[key] = nil
        return text
    }

    private static func text(_ alert: JSONValue, language: String) -> Text {
        var text = Text(language: language)
        func string(_ key: String) -> String {
            if case .string(let value)? = alert[key] { value } else { "" }
        }
        switch alert {
        case .string(let body): text.body = body
        default:
            (text.title, text.subtitle, text.body) = (string("title"), string("subtitle"), string("body"))
        }
        return text
    }
}
