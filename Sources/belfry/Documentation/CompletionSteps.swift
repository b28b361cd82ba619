/// The part of a completion script that bash and zsh share.
enum CompletionSteps {
    /// Shell patterns of `verb so far|next word` for each word of each verb.
    static func patterns(_ verbs: [VerbDeclaration]) -> String {
        var patterns: [String] = []
        for verb in verbs {
            for count in verb.words.indices {
                let pattern = "'\(verb.words[..<count].joined(separator: " "))|\(verb.words[count])'"
                if !patterns.contains(pattern) { patterns.append(pattern) }
            }
        }
        return patterns.joined(separator: "|")
    }
}
