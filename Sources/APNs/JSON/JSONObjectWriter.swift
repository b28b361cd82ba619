/// Appends the members of one JSON object in the order they are added; absent values leave no trace.
struct JSONObjectWriter {
    private var output: [UInt8] = [0x7b]

    var isEmpty: Bool { output.count == 1 }

    /// The whole object.
    func finished() -> [UInt8] { output + [0x7d] }

    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        begin(key)
        JSONText.append(value, to: &output)
    }

    mutating func add(_ key: String, _ value: Int64?) {
        guard let value else { return }
        begin(key)
        JSONText.append(value, to: &output)
    }

    mutating func add(_ key: String, _ value: Double?) throws(APNsError) {
        guard let value else { return }
        begin(key)
        try JSONText.append(value, to: &output)
    }

    /// Adds the number 1, which is how Apple writes most switches, when the switch is on.
    mutating func addOne(_ key: String, if condition: Bool = true) {
        if condition { add(key, Int64(1)) }
    }

    mutating func add(_ key: String, _ values: [String]?) {
        guard let values else { return }
        begin(key)
        output.append(0x5b)
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(0x2c) }
            JSONText.append(value, to: &output)
        }
        output.append(0x5d)
    }

    /// Adds a value that stands at a depth of its own in the whole text.
    mutating func add(_ key: String, _ value: JSONValue?, depth: Int) throws(APNsError) {
        guard let value else { return }
        begin(key)
        try value.append(to: &output, depth: depth)
    }

    mutating func add(_ key: String, object: JSONObjectWriter) {
        begin(key)
        output.append(contentsOf: object.output)
        output.append(0x7d)
    }

    /// Adds members in the order of their keys.
    mutating func add(sorted members: [String: JSONValue], depth: Int) throws(APNsError) {
        for member in members.sorted(by: { $0.key < $1.key }) {
            try add(member.key, member.value, depth: depth)
        }
    }

    private mutating func begin(_ key: String) {
        if !isEmpty { output.append(0x2c) }
        JSONText.append(key, to: &output)
        output.append(0x3a)
    }
}
