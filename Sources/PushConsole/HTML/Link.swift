/// An address inside the console; built of pieces that are escaped, so that it never leaves the console.
struct Link: Sendable, Hashable {
    /// As it stands in `href`.
    let text: String

    /// An address below `/console`.
    ///
    /// - Parameters:
    ///   - segments: pieces of the path, not escaped.
    ///   - query: names and values, not escaped.
    init(_ segments: String..., query: [(String, String)] = [], fragment: String? = nil) {
        self.init(segments: segments, query: query, fragment: fragment)
    }

    init(segments: [String], query: [(String, String)] = [], fragment: String? = nil) {
        var text = "/console"
        for segment in segments { text += "/" + Self.escaped(segment) }
        for (index, item) in query.enumerated() {
            text += (index == 0 ? "?" : "&") + Self.escaped(item.0) + "=" + Self.escaped(item.1)
        }
        if let fragment { text += "#" + Self.escaped(fragment) }
        self.text = text
    }

    /// An address that a request named, if it is one of the console's.
    init?(returning text: String) {
        guard text == "/console" || text.hasPrefix("/console/") || text.hasPrefix("/console?"),
            text.utf8.count <= 2048, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != 0x5c })
        else { return nil }
        self.text = text
    }

    /// A path of the same server, outside the console.
    init?(ofServer path: String) {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 2048,
            path.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != 0x5c })
        else { return nil }
        text = path
    }

    /// A place on the same page.
    init(onPage id: StaticString) { text = "#\(id)" }

    /// Percent-encodes all but RFC 3986's unreserved characters.
    static func escaped(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: output.append(byte)
            default:
                output.append(UInt8(ascii: "%"))
                output.append(digits[Int(byte >> 4)])
                output.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
