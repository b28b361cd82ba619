internal import APNs

/// One row of the audience builder: a field, a comparison, a value.
struct Condition: Sendable, Hashable {
    enum Comparison: String, CaseIterable, Sendable {
        case equals, differs, greater, less, contains, begins, oneOf, exists, missing

        var phrase: Phrase {
            switch self {
            case .equals: .compareEquals
            case .differs: .compareDiffers
            case .greater: .compareGreater
            case .less: .compareLess
            case .contains: .compareContains
            case .begins: .compareBegins
            case .oneOf: .compareOneOf
            case .exists: .compareExists
            case .missing: .compareMissing
            }
        }

        var needsValue: Bool { self != .exists && self != .missing }
    }

    var field = ""
    var comparison = Comparison.equals
    var value = ""

    /// The fields whose values are always texts.
    private static let textFields: Set<String> = [
        "objectId", "deviceType", "deviceToken", "installationId", "apnsTopic", "apnsTeamId", "deviceProfile",
        "timeZone", "localeIdentifier", "language", "environment", "channels",
    ]
    private static let dateFields: Set<String> = ["createdAt", "updatedAt"]

    /// Fields to offer; any other may be typed.
    static let suggestedFields = [
        "deviceType", "timeZone", "localeIdentifier", "language", "appVersion", "channels", "badge",
        "environment", "createdAt", "updatedAt", "interests.",
    ]

    /// Reads the rows of a form.
    static func read(_ form: FormFields) -> [Condition] {
        let fields = form.all("field")
        let comparisons = form.all("comparison")
        let values = form.all("value")
        let rows = fields.prefix(Composition.countMax).enumerated().map { index, field in
            Condition(
                field: field.trimmingBlanks,
                comparison: (index < comparisons.count ? Comparison(rawValue: comparisons[index]) : nil)
                    ?? .equals,
                value: index < values.count ? values[index].trimmingBlanks : "")
        }
        return rows.isEmpty ? [Condition()] : rows
    }

    /// The rows that say something, each as a condition.
    static func json(_ conditions: [Condition]) throws(ConsoleRefusal) -> [JSONValue] {
        var parts: [JSONValue] = []
        for condition in conditions {
            if condition.field.isEmpty {
                guard condition.value.isEmpty else { throw ConsoleRefusal(400, .fieldMissing) }
                continue
            }
            parts.append(.object([condition.field: condition.test]))
        }
        return parts
    }

    private var test: JSONValue {
        switch comparison {
        case .equals: typed(value)
        case .differs: ["$ne": typed(value)]
        case .greater: ["$gt": typed(value)]
        case .less: ["$lt": typed(value)]
        case .contains: ["$regex": .string(Self.quoted(value))]
        case .begins: ["$regex": .string("^" + Self.quoted(value))]
        case .oneOf:
            [
                "$in": .array(
                    value.split { $0 == "," || $0 == "，" }.map { typed($0.trimmingBlanks) })
            ]
        case .exists: ["$exists": true]
        case .missing: ["$exists": false]
        }
    }

    /// A value as JSON: a number or truth value where it looks like one; quotation marks make it a text.
    private func typed(_ text: String) -> JSONValue {
        if Self.textFields.contains(field) { return .string(text) }
        if Self.dateFields.contains(field) {
            let iso = text.utf8.count == 10 ? text + "T00:00:00.000Z" : text
            return ["__type": "Date", "iso": .string(iso)]
        }
        if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
            return .string(String(text.dropFirst().dropLast()))
        }
        switch text {
        case "true": return true
        case "false": return false
        default: break
        }
        if let value = try? JSONValue(parsing: text) {
            switch value {
            case .integer, .number: return value
            default: break
            }
        }
        return .string(text)
    }

    /// A text that a regular expression finds as it is.
    static func quoted(_ text: String) -> String {
        var output = ""
        for character in text {
            if "\\^$.|?*+()[]{}/#-".contains(character) { output.append("\\") }
            output.append(character)
        }
        return output
    }
}
