/// Enough of a shell's grammar to read the command lines in help texts and documents.
enum ShellWords {
    /// The commands of a line, each as words: split at pipes, `&&`, `;`, `&`; quotes honoured; the
    /// commands in `$(…)` come first and leave `$()`; redirections dropped; a comment ends the line.
    static func commands(in line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word = ""
        var isWord = false
        var quote: Character?
        var rest = Array(line)[...]

        func endWord() {
            if isWord { commands[commands.count - 1].append(word) }
            word = ""
            isWord = false
        }
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open {
                    quote = nil
                } else if character == "$", open == "\"", rest.first == "(" {
                    commands.insert(contentsOf: nested(&rest), at: 0)
                    word += "$()"
                } else {
                    word.append(character)
                }
                continue
            }
            switch character {
            case "'", "\"":
                quote = character
                isWord = true
            case "$" where rest.first == "(":
                commands.insert(contentsOf: nested(&rest), at: 0)
                word += "$()"
                isWord = true
            case "#" where !isWord:
                rest = []
            case " ", "\t", "\n": endWord()
            case "|", "&", ";":
                endWord()
                commands.append([])
            case "\\":
                if let next = rest.popFirst(), next != "\n" {
                    word.append(next)
                    isWord = true
                }
            default:
                word.append(character)
                isWord = true
            }
        }
        endWord()
        return commands.map(withoutRedirections).filter { !$0.isEmpty }
    }

    /// The commands inside `$(…)`; the parenthesis is next in `rest`.
    private static func nested(_ rest: inout ArraySlice<Character>) -> [[String]] {
        rest.removeFirst()
        var depth = 1
        var inner = ""
        while let character = rest.popFirst() {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth == 0 { break }
            inner.append(character)
        }
        return commands(in: inner)
    }

    private static func withoutRedirections(_ words: [String]) -> [String] {
        var kept: [String] = []
        var skipsNext = false
        for word in words {
            if skipsNext {
                skipsNext = false
            } else if [">", ">>", "<", "2>"].contains(word) {
                skipsNext = true
            } else if !word.hasPrefix(">"), !word.hasPrefix("<"), !word.hasPrefix("2>") {
                kept.append(word)
            }
        }
        return kept
    }
}
