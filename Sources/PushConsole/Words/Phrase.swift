/// A text of the console in every language it speaks; there is none without all of them.
///
/// `{0}` and `{1}` stand for values. In English a bar separates the form for one from the form for other numbers:
/// `{0} device|{0} devices`.
struct Phrase: Sendable {
    let english: String
    let chinese: String

    init(_ english: String, _ chinese: String) {
        self.english = english
        self.chinese = chinese
    }

    /// The text in a language with its values.
    func text(in language: Language, _ values: [String] = [], count: Int? = nil) -> String {
        var text = language == .english ? english : chinese
        if language == .english, let count, let bar = text.firstIndex(of: "|") {
            text = String(count == 1 ? text[..<bar] : text[text.index(after: bar)...])
        }
        guard text.contains("{") else { return text }
        // One pass: a value that looks like a placeholder stays what it is.
        var output = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            output += rest[..<open]
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: "}"), let index = Int(inside[..<close]),
                values.indices.contains(index)
            else {
                output += "{"
                rest = inside
                continue
            }
            output += values[index]
            rest = inside[inside.index(after: close)...]
        }
        return output + rest
    }
}
