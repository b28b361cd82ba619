internal import APNs
internal import PushStore

/// A place in a text that takes a value from each device's installation: `{{name|there}}`.
struct MessageVariable: Hashable, Sendable {
    /// Where the value is.
    enum Source: Hashable, Sendable {
        case objectID
        case deviceType
        case timeZone
        case locale
        case badge
        /// A field of the customer's, and the keys inside it.
        case attribute([String])
    }

    /// As it is written, for people.
    let name: String
    /// Where the value is.
    let source: Source
    /// What stands there when the installation has no value; nil for nothing.
    let fallback: String?

    /// Fields of an installation that are no attributes.
    private static let builtIns: [String: Source] = [
        "objectId": .objectID, "deviceType": .deviceType, "timeZone": .timeZone, "locale": .locale,
        "localeIdentifier": .locale, "badge": .badge,
    ]

    /// Takes a name as it is written; nil when no field can have it.
    init?(name: String, fallback: String?) {
        let path = name.split(separator: ".", omittingEmptySubsequences: false)
        guard path.allSatisfy(Self.isKey) else { return nil }
        self.name = name
        self.fallback = fallback
        source = Self.builtIns[name] ?? .attribute(path.map(String.init))
    }

    private static func isKey(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0 || $0 == 0x5f || $0 == 0x2d
            }
    }

    /// Whether the customer's fields have to be read.
    var needsAttributes: Bool {
        if case .attribute = source { true } else { false }
    }

    /// Appends a device's value as the contents of a JSON string.
    func append(for installation: borrowing SendableInstallation, badge: Int64, to output: inout [UInt8]) {
        switch source {
        case .objectID: append(installation.objectID, to: &output)
        case .deviceType: append(installation.deviceType ?? "", to: &output)
        case .timeZone: append(installation.timeZone ?? "", to: &output)
        case .locale: append(installation.locale ?? "", to: &output)
        case .badge: JSONText.append(badge, to: &output)
        case .attribute(let path):
            append(Self.text(Self.value(path, in: installation.attributes)), to: &output)
        }
    }

    /// Appends what stands in the text of a device without a value.
    func appendFallback(to output: inout [UInt8]) {
        if let fallback { JSONText.appendContents(fallback, to: &output) }
    }

    /// An empty text counts as no value: "Hello ," is what nobody wants.
    private func append(_ text: String, to output: inout [UInt8]) {
        if text.isEmpty {
            appendFallback(to: &output)
        } else {
            JSONText.appendContents(text, to: &output)
        }
    }

    private static func value(_ path: [String], in attributes: [String: JSONValue]) -> JSONValue? {
        guard var value = path.first.flatMap({ attributes[$0] }) else { return nil }
        for key in path.dropFirst() {
            switch value {
            case .object(let members):
                guard let member = members[key] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Int(key), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    /// A value as text, empty for those that have none; a date is its ISO 8601 text, a list its elements.
    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let string): string
        case .integer(let integer): String(integer)
        case .number(let number): PlainNumber.text(number) ?? ""
        case .bool(let bool): bool ? "true" : "false"
        case .array(let elements):
            elements.map { text($0) }.filter { !$0.isEmpty }.joined(separator: ", ")
        case .object(let members):
            if case .string(let date)? = members["iso"], members["__type"] == "Date" { date } else { "" }
        case .null, nil: ""
        }
    }
}
