/// A text with places for variables: `Hello {{name|there}}`.
///
/// `\{{` is a literal `{{`; inside the braces `\|`, `\}` and `\\` stand for the sign itself. A value is put in
/// once: braces in it mean nothing. What looks like a place but names nothing stays as it is written.
struct TextTemplate: Hashable, Sendable {
    /// A part of the text.
    enum Piece: Hashable, Sendable {
        case literal(String)
        case variable(MessageVariable)
    }

    /// The parts in order; no two literals stand side by side.
    private(set) var pieces: [Piece] = []
    /// Places that name no field, as they are written.
    private(set) var unreadable: [String] = []

    /// Reads a text; every text is one.
    init(_ text: String) {
        guard text.utf8.contains(0x7b) else {
            if !text.isEmpty { pieces = [.literal(text)] }
            return
        }
        var literal = ""
        var rest = text[...]
        while let brace = rest.firstRange(of: "{{") {
            let before = rest[..<brace.lowerBound]
            if before.hasSuffix("\\") {
                literal += before.dropLast() + "{{"
                rest = rest[brace.upperBound...]
                continue
            }
            guard let place = Self.place(rest[brace.upperBound...]) else {
                literal += rest[..<brace.upperBound]
                rest = rest[brace.upperBound...]
                continue
            }
            literal += before
            if let variable = MessageVariable(name: place.name, fallback: place.fallback) {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = ""
                pieces.append(.variable(variable))
            } else {
                let written = rest[brace.lowerBound..<place.end]
                unreadable.append(String(written))
                literal += written
            }
            rest = rest[place.end...]
        }
        literal += rest
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }

    /// The variables in order.
    var variables: [MessageVariable] {
        pieces.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
    }

    /// What stands behind `{{`, and where it ends; nil without `}}`.
    private static func place(
        _ text: Substring
    ) -> (name: String, fallback: String?, end: Substring.Index)? {
        var name = ""
        var fallback: String?
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            let character = text[index]
            var literal = character
            if character == "\\", next < text.endIndex, "|}\\".contains(text[next]) {
                literal = text[next]
                index = text.index(after: next)
            } else if character == "}", next < text.endIndex, text[next] == "}" {
                return (name.trimmed, fallback, text.index(after: next))
            } else if character == "|", fallback == nil {
                fallback = ""
                index = next
                continue
            } else {
                index = next
            }
            if fallback == nil { name.append(literal) } else { fallback?.append(literal) }
        }
        return nil
    }
}

extension String {
    /// Without blanks at both ends.
    fileprivate var trimmed: String {
        guard let start = firstIndex(where: { $0 != " " }), let end = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(self[start...end])
    }
}
