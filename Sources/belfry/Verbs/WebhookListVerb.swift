internal import PushStore

/// `belfry webhook list`.
enum WebhookListVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["webhook", "list"],
        summary: "list an app's webhooks and how they are doing",
        options: [WebhookAddVerb.app.spec] + StoreOptions.all,
        examples: [.init(purpose: "as text", command: "belfry webhook list --app news")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let id = options[WebhookAddVerb.app] else { throw .usage("needs --app ID") }
        let reports = try await StoreOptions.with(options) { store in
            let app = try await StoreOptions.app(id, in: store)
            return try await store.webhooks(app: app.number).map { WebhookReport($0) }
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
