/// A phrase's English as a pattern: finds out whether a sentence was made of it, and of which values.
struct ErrorTemplate: Sendable {
    /// What a value is, by what stands around it.
    enum Kind: Sendable, Hashable {
        /// A field's name: the first, before a colon.
        case field
        /// Somebody's own text in quotation marks: no language's.
        case quoted
        case text
    }

    private enum Part: Sendable {
        case literal(String)
        case value(Int, Kind)
    }

    /// At how many places a value may end that are tried.
    private static let tryCountMax = 16

    let phrase: Phrase
    private let parts: [Part]
    private let valueCount: Int

    /// How many characters are the phrase's own: the more, the better it fits.
    let literalCount: Int

    init(_ phrase: Phrase) {
        self.phrase = phrase
        var parts: [Part] = []
        var rest = phrase.english[...]
        while let match = rest.firstMatch(of: /\{(\d)\}/), let index = Int(match.1) {
            let before = rest[..<match.range.lowerBound]
            let after = rest[match.range.upperBound...]
            if !before.isEmpty { parts.append(.literal(String(before))) }
            let isQuoted =
                before.last.map { "'\"".contains($0) } == true && after.first == before.last
            let isField = parts.isEmpty && after.hasPrefix(": ")
            parts.append(.value(index, isQuoted ? .quoted : isField ? .field : .text))
            rest = after
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.parts = parts
        valueCount = parts.count { if case .value = $0 { true } else { false } }
        literalCount = parts.reduce(0) { sum, part in
            if case .literal(let text) = part { sum + text.count } else { sum }
        }
    }

    /// The values that a sentence was made with, in the order of their numbers; nil for one of something else.
    func values(of message: String) -> [(text: String, kind: Kind)]? {
        var found = [(text: String, kind: Kind)](repeating: ("", .text), count: valueCount)
        guard match(message[...], parts[...], &found) else { return nil }
        return found
    }

    private func match(
        _ text: Substring, _ parts: ArraySlice<Part>, _ found: inout [(text: String, kind: Kind)]
    ) -> Bool {
        switch parts.first {
        case nil: return text.isEmpty
        case .literal(let literal)?:
            return text.hasPrefix(literal) && match(text.dropFirst(literal.count), parts.dropFirst(), &found)
        case .value(let index, let kind)?:
            guard found.indices.contains(index) else { return false }
            for end in ends(in: text, before: parts.dropFirst().first, kind) {
                let value = text[..<end]
                // A field's name has no quotation marks: what has them is already somebody's text.
                if value.isEmpty && kind != .quoted || kind == .field && value.contains(where: Self.isQuote) {
                    continue
                }
                if match(text[end...], parts.dropFirst(), &found) {
                    found[index] = (String(value), kind)
                    return true
                }
            }
            return false
        }
    }

    private static func isQuote(_ character: Character) -> Bool { character == "'" || character == "\"" }

    /// Where a value can end: before what follows it; a field's name as late as possible.
    private func ends(in text: Substring, before next: Part?, _ kind: Kind) -> [String.Index] {
        guard case .literal(let literal)? = next else { return [text.endIndex] }
        var ends: [String.Index] = []
        var start = text.startIndex
        while ends.count < Self.tryCountMax, let range = text[start...].firstRange(of: literal) {
            ends.append(range.lowerBound)
            start = text.index(after: range.lowerBound)
        }
        return kind == .field ? ends.reversed() : ends
    }
}
