/// `belfry version`.
enum VersionVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["version"],
        summary: "print the version",
        examples: [.init(purpose: "for a script", command: "belfry version --json")])

    private struct Report: Encodable, Sendable {
        var version: String
        var swift: String
        var platform: String
    }

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        if context.isJSON {
            try context.console.printJSON(
                Report(version: Version.number, swift: Version.compiler, platform: Version.platform))
        } else {
            context.console.print("belfry \(Version.number) (Swift \(Version.compiler), \(Version.platform))")
        }
        return .done
    }
}
