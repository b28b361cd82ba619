extension JSONValue {
    /// The value as JSON text without blanks; the same value always gives the same bytes.
    ///
    /// Keys are sorted; slashes and characters outside ASCII are not escaped; whole numbers have no fraction.
    /// - Throws: `invalidJSON` for a number that is not finite or nesting deeper than `depthMax`.
    public func encoded() throws(APNsError) -> [UInt8] {
        var output: [UInt8] = []
        try append(to: &output)
        return output
    }

    /// Appends the value as JSON text; `depth` is how many arrays and objects stand around it.
    package func append(to output: inout [UInt8], depth: Int = 0) throws(APNsError) {
        switch self {
        case .null: output.append(contentsOf: Array("null".utf8))
        case .bool(let bool): output.append(contentsOf: Array((bool ? "true" : "false").utf8))
        case .integer(let integer): JSONText.append(integer, to: &output)
        case .number(let number): try JSONText.append(number, to: &output)
        case .string(let string): JSONText.append(string, to: &output)
        case .array(let values):
            try JSONValue.check(depth: depth + 1)
            output.append(0x5b)
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(0x2c) }
                try value.append(to: &output, depth: depth + 1)
            }
            output.append(0x5d)
        case .object(let members):
            try JSONValue.check(depth: depth + 1)
            output.append(0x7b)
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { output.append(0x2c) }
                JSONText.append(member.key, to: &output)
                output.append(0x3a)
                try member.value.append(to: &output, depth: depth + 1)
            }
            output.append(0x7d)
        }
    }

    private static func check(depth: Int) throws(APNsError) {
        guard depth <= depthMax else {
            throw APNsError(code: .invalidJSON, message: "a value nests deeper than \(depthMax) levels")
        }
    }
}
