/// The completion script for zsh, written from the declarations.
enum ZshCompletion {
    static func script(_ verbs: [VerbDeclaration]) -> String {
        var text = """
            #compdef belfry
            # belfry completion for zsh; made by `belfry completion zsh`.
            _belfry() {
                local verb="" word
                local -a next
                for word in ${words[2,CURRENT-1]}; do
                    case "$verb|$word" in
                    (\(CompletionSteps.patterns(verbs)))
                        verb="${verb:+$verb }$word" ;;
                    esac
                done
                case "$verb" in
                ('')
            \(describe([]))

            """
        for group in VerbTable.groups.keys.sorted() {
            text += "    ('\(group)')\n\(describe([group]))\n"
        }
        for verb in verbs {
            let specs = verb.allOptions.map(spec) + [operands(verb)]
            text += "    ('\(verb.name)')\n        _arguments -s \\\n            "
            text += specs.joined(separator: " \\\n            ") + " ;;\n"
        }
        text += """
                esac
            }
            if [ "$funcstack[1]" = "_belfry" ]; then _belfry "$@"; else compdef _belfry belfry; fi

            """
        return text
    }

    private static func describe(_ words: [String]) -> String {
        let entries = VerbTable.nextWords(after: words).map { word in
            let name = (words + [word]).joined(separator: " ")
            return "'\(word):\(escaped(VerbTable.summary(of: name)))'"
        }
        return "        next=(\(entries.joined(separator: " ")))\n        _describe verb next ;;"
    }

    /// `'(-p --port)'{-p,--port=}'[help]:PORT:(values)'`.
    private static func spec(_ option: OptionSpec) -> String {
        let help = "[\(escaped(option.help))]"
        let star = option.isRepeatable ? "*" : ""
        guard let value = option.value else {
            guard let short = option.short else { return "'--\(option.name)\(help)'" }
            return "'(-\(short) --\(option.name))'{-\(short),--\(option.name)}'\(help)'"
        }
        let action = action(value.choices, isPath: value.isPath)
        let rest = "\(help):\(escaped(value.placeholder)):\(action)'"
        guard let short = option.short else { return "'\(star)--\(option.name)=\(rest)" }
        return "'\(star)'{-\(short)+,--\(option.name)=}'\(rest)"
    }

    private static func operands(_ verb: VerbDeclaration) -> String {
        guard let operands = verb.operands else { return "'*: : '" }
        return "'*:\(operands.name):\(action(operands.choices, isPath: operands.isPath))'"
    }

    private static func action(_ choices: [String], isPath: Bool) -> String {
        if !choices.isEmpty { return "(\(choices.joined(separator: " ")))" }
        return isPath ? "_files" : " "
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "'": result += "'\\''"
            case "[", "]", ":", "\\": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
