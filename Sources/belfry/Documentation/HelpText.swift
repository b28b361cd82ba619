/// The help texts, written from the declarations.
enum HelpText {
    /// Columns of a help text.
    static let width = 96
    private static let helpColumn = 28

    /// `belfry help`: all verbs.
    static func overview() -> String {
        var text = """
            Belfry: an APNs client and an APNs that runs on your own machine.

            Usage: belfry VERB [options]

            Verbs:

            """
        for word in VerbTable.nextWords(after: []) {
            text += row("  \(word)", VerbTable.summary(of: word))
        }
        let notes = """
            Every verb takes --help, --json and -v. Options can also be set by variables: BELFRY_PORT for --port,
            BELFRY_GATEWAY_PORT for gateway's alone. Exit codes: 0 done, 1 failed, 2 usage, 69 something outside was
            not available.
            """
        return text + "\n" + wrapped(notes, indent: 0) + "\n"
    }

    /// The verbs that share a first word.
    static func group(_ words: [String]) -> String {
        let name = words.joined(separator: " ")
        var text = "belfry \(name): \(VerbTable.summary(of: name))\n\n"
        text += "Usage: belfry \(name) VERB [options]\n\nVerbs:\n"
        for declaration in VerbTable.declarations where declaration.words.starts(with: words) {
            text += row("  \(declaration.name)", declaration.summary)
        }
        return text
    }

    /// One verb: usage, options, examples.
    static func verb(_ declaration: VerbDeclaration) -> String {
        var text = wrapped("belfry \(declaration.name): \(declaration.summary)", indent: 0)
        text += "\n\nUsage: \(usage(declaration))\n"
        if !declaration.discussion.isEmpty {
            for paragraph in declaration.discussion.split(separator: "\n\n") {
                text += "\n" + wrapped(String(paragraph), indent: 0) + "\n"
            }
        }
        if let operands = declaration.operands {
            text += "\nArguments:\n" + row("  \(operands.name)", operands.help)
        }
        if !declaration.options.isEmpty {
            text += "\nOptions:\n" + declaration.options.map(row(for:)).joined()
        }
        text += "\nCommon options:\n" + CommonOptions.all.map(row(for:)).joined()
        if !declaration.examples.isEmpty {
            text += "\nExamples:\n"
            for example in declaration.examples {
                text += "  # \(example.purpose)\n" + continued(example.command, indent: 2) + "\n"
            }
        }
        return text
    }

    /// `belfry lint [options] FILE…`.
    static func usage(_ declaration: VerbDeclaration) -> String {
        let operands = declaration.operands.map { " " + $0.usage } ?? ""
        return "belfry \(declaration.name) [options]\(operands)"
    }

    /// `-p, --port PORT`.
    static func names(_ option: OptionSpec) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        return short + "--\(option.name)" + (option.value.map { " " + $0.placeholder } ?? "")
    }

    /// The help sentence with choices, default and repetition behind it.
    static func explanation(_ option: OptionSpec) -> String {
        var notes: [String] = []
        if let choices = option.value?.choices, !choices.isEmpty {
            notes.append("one of " + choices.joined(separator: ", "))
        }
        if option.isRepeatable { notes.append("may be repeated") }
        if let text = option.defaultText { notes.append("default \(text)") }
        return option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    private static func row(for option: OptionSpec) -> String {
        row("  " + names(option), explanation(option))
    }

    /// A name in the left column, its text in the right one; below it when the name is too long.
    private static func row(_ name: String, _ help: String) -> String {
        let body = wrapped(help, indent: helpColumn)
        if name.count > helpColumn - 2 { return name + "\n" + body + "\n" }
        return name + body.dropFirst(name.count) + "\n"
    }

    /// Breaks a command line before its options where it is too long, with the shell's backslash.
    static func continued(_ command: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        // An option stays on one line with its value.
        var pieces: [String] = []
        for word in command.split(separator: " ", omittingEmptySubsequences: false) {
            if word.hasPrefix("-") && word != "-" || pieces.isEmpty {
                pieces.append(String(word))
            } else {
                pieces[pieces.count - 1] += " " + word
            }
        }
        var lines: [String] = []
        for piece in pieces {
            if let last = lines.last, last.count + piece.count + 3 <= width {
                lines[lines.count - 1] = last + " " + piece
            } else {
                lines.append(margin + (lines.isEmpty ? "" : "    ") + piece)
            }
        }
        return lines.joined(separator: " \\\n")
    }

    /// Breaks a text into lines of `width` columns, each with `indent` spaces before it.
    static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(margin + line)
        return lines.joined(separator: "\n")
    }
}
