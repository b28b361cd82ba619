internal import APNs

/// `belfry lint`.
enum LintVerb: Verb {
    static let bundle = Option.optional(
        "bundle", .text("ID"), "The app's bundle id; --topic is checked against it and the push type.")

    static let declaration = VerbDeclaration(
        words: ["lint"],
        summary: "check payloads and .apns files, say what will go wrong",
        discussion: """
            Finds what APNs would refuse and what a device would ignore: wrong types, misspelt keys, sizes, \
            headers that do not fit the payload. The exit code is 1 when there are errors; warnings alone leave \
            it 0.
            """,
        options: HeaderOptions.all + [bundle.spec],
        operands: OperandSpec(
            name: "FILE", help: "A payload (JSON) or an .apns file; '-' is standard input.", countMin: 1,
            isPath: true),
        examples: [
            .init(purpose: "a payload as it would be sent", command: "belfry lint payload.json"),
            .init(
                purpose: "with the headers that go with it",
                command:
                    "belfry lint --push-type background --priority 5 --topic com.example.App payload.json"),
            .init(purpose: "from a pipe, for a script", command: "cat payload.json | belfry lint --json -"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        throw .unavailable("checking is not part of this build yet")
    }
}
