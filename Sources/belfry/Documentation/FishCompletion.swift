/// The completion script for fish, written from the declarations.
enum FishCompletion {
    static func script(_ verbs: [VerbDeclaration]) -> String {
        var text = """
            # belfry completion for fish; made by `belfry completion fish`.
            function __belfry_words
                set -l found
                for word in (commandline -opc)[2..-1]
                    string match -q -- '-*' $word; or set -a found $word
                end
                string join ' ' $found
            end
            function __belfry_at
                test "$(__belfry_words)" = "$argv[1]"
            end
            function __belfry_in
                string match -rq -- "^$argv[1]( |\\$)" "$(__belfry_words)"
            end
            complete -c belfry -f

            """
        for words in [[]] + VerbTable.groups.keys.sorted().map({ [$0] }) {
            for word in VerbTable.nextWords(after: words) {
                let summary = VerbTable.summary(of: (words + [word]).joined(separator: " "))
                text += line("__belfry_at '\(words.joined(separator: " "))'", ["-a \(word)"], summary)
            }
        }
        for verb in verbs {
            for option in verb.allOptions { text += entry(option, of: verb) }
            guard let operands = verb.operands else { continue }
            let what = operands.isPath ? "-F" : "-a '\(operands.choices.joined(separator: " "))'"
            if operands.isPath || !operands.choices.isEmpty {
                text += line("__belfry_in '\(verb.name)'", [what], operands.help)
            }
        }
        return text
    }

    private static func entry(_ option: OptionSpec, of verb: VerbDeclaration) -> String {
        var parts = ["-l \(option.name)"]
        if let short = option.short { parts.append("-s \(short)") }
        if let value = option.value {
            if !value.choices.isEmpty {
                parts.append("-x -a '\(value.choices.joined(separator: " "))'")
            } else {
                parts.append(value.isPath ? "-r -F" : "-x")
            }
        }
        return line("__belfry_in '\(verb.name)'", parts, option.help)
    }

    private static func line(_ condition: String, _ parts: [String], _ help: String) -> String {
        "complete -c belfry -n \"\(condition)\" \(parts.joined(separator: " ")) -d '\(escaped(help))'\n"
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
            .split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
    }
}
