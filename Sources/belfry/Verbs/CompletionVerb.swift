/// `belfry completion`.
enum CompletionVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["completion"],
        summary: "print a completion script for your shell",
        operands: OperandSpec(
            name: "SHELL", help: "The shell: bash, zsh or fish.", countMin: 1, countMax: 1,
            choices: ["bash", "zsh", "fish"]),
        examples: [
            .init(purpose: "for this bash", command: "eval \"$(belfry completion bash)\""),
            .init(
                purpose: "for every fish",
                command: "belfry completion fish > ~/.config/fish/completions/belfry.fish"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let verbs = VerbTable.declarations
        switch options.operands.first {
        case "zsh": context.console.writeOutput(ZshCompletion.script(verbs))
        case "fish": context.console.writeOutput(FishCompletion.script(verbs))
        default: context.console.writeOutput(BashCompletion.script(verbs))
        }
        return .done
    }
}
