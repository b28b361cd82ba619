/// The man page `belfry(1)`, written from the declarations.
enum ManualPage {
    static func text() -> String {
        var page = """
            .TH BELFRY 1 "" "belfry \(Version.number)" "User Commands"
            .SH NAME
            belfry \\- an APNs client and an APNs that runs on your own machine
            .SH SYNOPSIS
            .B belfry
            .I VERB
            [options]

            """
        page += ".SH VERBS\n"
        for declaration in VerbTable.declarations {
            page += ".SS \(escaped(HelpText.usage(declaration)))\n"
            let summary = declaration.summary
            page += paragraph(summary.prefix(1).uppercased() + summary.dropFirst() + ".")
            for text in declaration.discussion.split(separator: "\n\n") {
                page += ".PP\n" + paragraph(String(text))
            }
            if let operands = declaration.operands {
                page += ".TP\n.I \(escaped(operands.name))\n" + paragraph(operands.help)
            }
            page += declaration.options.map(entry).joined()
            if !declaration.examples.isEmpty {
                page += ".PP\nExamples:\n.PP\n.nf\n.RS\n"
                for example in declaration.examples {
                    page += escaped("# \(example.purpose)") + "\n" + escaped(example.command) + "\n"
                }
                page += ".RE\n.fi\n"
            }
        }
        page += ".SH COMMON OPTIONS\n" + CommonOptions.all.map(entry).joined()
        page += """
            .SH ENVIRONMENT
            Each option can be set by a variable: \\fBBELFRY_\\fR, the verb's words if the setting is for that verb
            alone, and the option's name in capital letters with underscores. \\fBBELFRY_GATEWAY_PORT\\fR counts
            before \\fBBELFRY_PORT\\fR, and the command line before both.
            .SH EXIT STATUS
            .TP
            .B 0
            Done.
            .TP
            .B 1
            The command ran and the answer is no, or it failed.
            .TP
            .B 2
            The command line is wrong; nothing was done.
            .TP
            .B 69
            Something outside was not available: a port is taken, a server does not answer, a file is not there.

            """
        return page
    }

    private static func entry(_ option: OptionSpec) -> String {
        let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let value = option.value.map { " \\fI\(escaped($0.placeholder))\\fR" } ?? ""
        return ".TP\n\(short)\\fB\(escaped("--" + option.name))\\fR\(value)\n"
            + paragraph(HelpText.explanation(option))
    }

    private static func paragraph(_ text: some StringProtocol) -> String {
        escaped(text.split(whereSeparator: \.isNewline).joined(separator: " ")) + "\n"
    }

    /// Text as roff takes it: backslashes and dashes literal, no line that begins with a control character.
    private static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "…": result += "..."
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
    }
}
