internal import APNs

/// JSON for people.
enum JSONText {
    /// On one line.
    static func line(_ value: JSONValue) -> String {
        (try? value.encoded()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// With a line for each member.
    static func pretty(_ value: JSONValue, indent: String = "") -> String {
        let deeper = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { $0.key < $1.key }.map { key, value in
                deeper + line(.string(key)) + ": " + pretty(value, indent: deeper)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
        case .array(let items) where !items.isEmpty:
            let lines = items.map { deeper + pretty($0, indent: deeper) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
        default: return line(value)
        }
    }
}
