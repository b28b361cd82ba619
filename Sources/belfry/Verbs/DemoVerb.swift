/// `belfry demo`.
enum DemoVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["demo"],
        summary: "run a gateway and two devices, send pushes, show what arrived",
        discussion: """
            Everything runs in this process, on free ports of the loopback address, with a folder that is \
            deleted at the end. Ends by itself.
            """,
        examples: [.init(purpose: "see it work", command: "belfry demo")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        throw .unavailable("the gateway is not part of this build yet")
    }
}
