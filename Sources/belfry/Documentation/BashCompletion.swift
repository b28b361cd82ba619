/// The completion script for bash, written from the declarations.
enum BashCompletion {
    static func script(_ verbs: [VerbDeclaration]) -> String {
        """
        # belfry completion for bash; made by `belfry completion bash`.
        _belfry() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb="" word i
            COMPREPLY=()
            # bash splits --name=value at the equals sign.
            [ "$current" != "=" ] || current=""
            [ "$previous" != "=" ] || previous=${COMP_WORDS[COMP_CWORD-2]}
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                case "$verb|$word" in
                    \(CompletionSteps.patterns(verbs)))
                    verb="${verb:+$verb }$word" ;;
                esac
            done
            case "$verb|$previous" in
        \(verbs.map(values).joined())
                *) ;;
            esac
            case "$verb|$current" in
        \(verbs.map(options).joined())
                *) ;;
            esac
            case "$verb" in
        \(words(verbs))
                *) ;;
            esac
        }
        complete -o bashdefault -o default -F _belfry belfry

        """
    }

    private static func values(_ verb: VerbDeclaration) -> String {
        verb.allOptions.filter { $0.value != nil }.map { option in
            var pattern = "'\(verb.name)|--\(option.name)'"
            if let short = option.short { pattern += "|'\(verb.name)|-\(short)'" }
            return "        \(pattern)) \(reply(option.value?.choices ?? [])); return ;;\n"
        }.joined()
    }

    private static func options(_ verb: VerbDeclaration) -> String {
        let names = verb.allOptions.map { "--\($0.name)" }
        return "        '\(verb.name)|-'*) \(reply(names)); return ;;\n"
    }

    private static func words(_ verbs: [VerbDeclaration]) -> String {
        var lines = ["        '') \(reply(VerbTable.nextWords(after: []))) ;;"]
        for group in VerbTable.groups.keys.sorted() {
            lines.append("        '\(group)') \(reply(VerbTable.nextWords(after: [group]))) ;;")
        }
        for verb in verbs {
            guard let choices = verb.operands?.choices, !choices.isEmpty else { continue }
            lines.append("        '\(verb.name)') \(reply(choices)) ;;")
        }
        return lines.joined(separator: "\n")
    }

    /// No candidates leaves bash's own file names.
    private static func reply(_ candidates: [String]) -> String {
        if candidates.isEmpty { return ":" }
        return "COMPREPLY=($(compgen -W '\(candidates.joined(separator: " "))' -- \"$current\"))"
    }
}
