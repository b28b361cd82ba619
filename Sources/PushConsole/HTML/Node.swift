/// A piece of a page; text in it is escaped when it is written, so that none of it becomes markup.
indirect enum Node: Sendable {
    /// Text of any origin.
    case text(String)
    /// An element; names are written in the source.
    case element(StaticString, [Attribute], [Node])
    /// Pieces one after the other.
    case group([Node])

    /// Nothing.
    static let none = Node.group([])

    /// Elements without content and end tag (HTML: void elements).
    private static let voidNames: Set<String> = ["input", "br", "hr", "meta", "link", "img"]

    /// Writes it as HTML.
    func write(to output: inout [UInt8]) {
        switch self {
        case .text(let text): Self.escape(text, to: &output)
        case .group(let nodes): for node in nodes { node.write(to: &output) }
        case .element(let name, let attributes, let content):
            let name = "\(name)"
            output.append(UInt8(ascii: "<"))
            output += name.utf8
            for attribute in attributes where attribute.isPresent {
                output.append(UInt8(ascii: " "))
                output += attribute.name.utf8
                guard let value = attribute.value else { continue }
                output += "=\"".utf8
                Self.escape(value, to: &output)
                output.append(UInt8(ascii: "\""))
            }
            output.append(UInt8(ascii: ">"))
            guard !Self.voidNames.contains(name) else { return }
            // The parser drops one line feed after these tags.
            if name == "textarea" || name == "pre" { output.append(UInt8(ascii: "\n")) }
            for node in content { node.write(to: &output) }
            output += "</".utf8
            output += name.utf8
            output.append(UInt8(ascii: ">"))
        }
    }

    /// The whole as HTML.
    var html: String {
        var output: [UInt8] = []
        write(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Writes text so that it is text in content and in quoted attributes alike.
    private static func escape(_ text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            case UInt8(ascii: "'"): output += "&#39;".utf8
            // What HTML forbids in any form: NUL and other controls but blanks.
            case 0..<9, 11, 12, 14..<32, 127: output += "\u{FFFD}".utf8
            default: output.append(byte)
            }
        }
    }
}
