internal import Transport

/// The fields of a form as a browser posts them (`application/x-www-form-urlencoded`).
struct FormFields: Sendable {
    /// Names and values in order.
    private(set) var items: [(name: String, value: String)]

    /// How many fields a form may have.
    static let countMax = 2000

    init(_ items: [(name: String, value: String)] = []) {
        self.items = items
    }

    /// Reads a body; nil for one that is malformed or has too many fields.
    init?(body: [UInt8]) {
        guard let text = String(validating: body, as: UTF8.self),
            let request = HTTPRequest(
                method: "POST", rawTarget: "/?" + text, headers: [:], body: [], remoteAddress: ""),
            request.query.count <= Self.countMax
        else { return nil }
        // Browsers send line ends of text areas as CR LF.
        items = request.query.map { ($0.name, $0.value.replacing("\r\n", with: "\n")) }
    }

    /// The first value of a name; empty without one.
    subscript(name: String) -> String {
        items.first { $0.name == name }?.value ?? ""
    }

    /// All values of a name.
    func all(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    /// Whether a name is there, as a ticked box is.
    func has(_ name: String) -> Bool { items.contains { $0.name == name } }

    /// A value without blanks around it.
    func trimmed(_ name: String) -> String { self[name].trimmingBlanks }
}

extension StringProtocol {
    /// Without blanks and line ends at both ends.
    var trimmingBlanks: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
