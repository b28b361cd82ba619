package import APNs

/// JSON of the control API.
package enum ControlJSON {
    /// A value as text; what cannot be written (a number that is not finite) becomes null.
    package static func encode(_ value: JSONValue) -> [UInt8] {
        (try? value.encoded()) ?? Array("null".utf8)
    }

    /// An object whose last member is text that is JSON already.
    static func encode(_ members: [String: JSONValue], adding name: String, json text: [UInt8]) -> [UInt8] {
        var output = encode(.object(members))
        output.removeLast()
        if !members.isEmpty { output.append(UInt8(ascii: ",")) }
        output += encode(.string(name))
        output.append(UInt8(ascii: ":"))
        output += text
        output.append(UInt8(ascii: "}"))
        return output
    }

    /// An object with one member: a list of texts that are JSON already.
    static func encode(list name: String, _ texts: [[UInt8]]) -> [UInt8] {
        var list: [UInt8] = [UInt8(ascii: "[")]
        for (index, text) in texts.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            list += text
        }
        list.append(UInt8(ascii: "]"))
        return encode([:], adding: name, json: list)
    }
}
