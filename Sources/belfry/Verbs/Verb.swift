/// One command of `belfry`: its declaration and what it does.
protocol Verb: Sendable {
    static var declaration: VerbDeclaration { get }

    /// Does the work. Never called on the main thread.
    ///
    /// - Returns: `.done`, or `.failed` when the command ran and its answer is no.
    /// - Throws: what the person has to be told, with the exit code.
    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus
}
