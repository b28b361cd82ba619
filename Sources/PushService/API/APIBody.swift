internal import APNs

/// JSON in answers.
enum APIBody {
    /// How many levels of an answer may stand around a stored value, which is itself as deep as `JSONValue` goes.
    private static let wrappingDepthMax = 4

    /// An answer's bytes.
    ///
    /// A list of objects nests deeper than the objects that were stored: the outer levels are written here.
    static func encoded(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        append(value, to: &output, depth: 0)
        return output
    }

    private static func append(_ value: JSONValue, to output: inout [UInt8], depth: Int) {
        switch value {
        case .array(let elements) where depth < wrappingDepthMax:
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                append(element, to: &output, depth: depth + 1)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members) where depth < wrappingDepthMax:
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                append(.string(member.key), to: &output, depth: depth + 1)
                output.append(UInt8(ascii: ":"))
                append(member.value, to: &output, depth: depth + 1)
            }
            output.append(UInt8(ascii: "}"))
        default:
            // What cannot be written was never stored: numbers are finite, depth is bounded.
            output += (try? value.encoded()) ?? Array("null".utf8)
        }
    }

    /// Reads a request's body; an empty one is an empty object.
    static func object(_ bytes: [UInt8]) throws(APIError) -> [String: JSONValue] {
        guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }) else { return [:] }
        guard case .object(let members) = try value(bytes, "the body") else {
            throw .malformed("the body: a JSON object is needed")
        }
        return members
    }

    /// Reads JSON text.
    static func value(_ bytes: [UInt8], _ name: String) throws(APIError) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw .malformed("\(name): \(error.message)")
        }
    }
}
