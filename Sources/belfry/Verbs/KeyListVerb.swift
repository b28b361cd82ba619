internal import PushStore

/// `belfry key list`.
enum KeyListVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["key", "list"],
        summary: "list an app's credentials for APNs",
        options: [KeyAddVerb.app.spec] + StoreOptions.all,
        examples: [.init(purpose: "as text", command: "belfry key list --app news")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let id = options[KeyAddVerb.app] else { throw .usage("needs --app ID") }
        let reports = try await StoreOptions.with(options) { store in
            let app = try await StoreOptions.app(id, in: store)
            return try await store.credentials(app: app.number).map(CredentialReport.init)
        }
        for report in reports {
            if context.isJSON {
                try context.console.printJSON(report)
            } else {
                context.console.print(report.text)
            }
        }
        return .done
    }
}
