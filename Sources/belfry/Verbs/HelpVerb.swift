/// `belfry help`.
enum HelpVerb: Verb {
    private static let man = Option.flag("man", "Print the man page belfry(1) in roff format.")

    static let declaration = VerbDeclaration(
        words: ["help"],
        summary: "show all verbs, the help of one, or the man page",
        options: [man.spec],
        operands: OperandSpec(name: "VERB", help: "The verb to explain.", countMin: 0),
        examples: [
            .init(purpose: "everything about one verb", command: "belfry help lint"),
            .init(purpose: "read the man page", command: "belfry help --man | man -l -"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        context.console.writeOutput(try text(options))
        return .done
    }

    private static func text(_ options: ParsedOptions) throws(CommandError) -> String {
        if options[man] { return ManualPage.text() }
        let words = options.operands
        if words.isEmpty { return HelpText.overview() }
        if let (verb, rest) = VerbTable.find(words), rest.isEmpty { return HelpText.verb(verb.declaration) }
        if !VerbTable.nextWords(after: words).isEmpty { return HelpText.group(words) }
        let near = Suggestion.clause(for: words[0], among: VerbTable.nextWords(after: []))
        throw .usage("unknown verb '\(words.joined(separator: " "))'\(near)")
    }
}
