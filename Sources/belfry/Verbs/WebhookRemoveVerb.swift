internal import PushStore

/// `belfry webhook remove`.
enum WebhookRemoveVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["webhook", "remove"],
        summary: "send an app's events to an address no longer",
        discussion: "What waits for the address is given up.",
        options: [WebhookAddVerb.app.spec] + StoreOptions.all,
        operands: OperandSpec(
            name: "NUMBER", help: "The webhook's number, as 'belfry webhook list' shows it.", countMin: 1,
            countMax: 1),
        examples: [.init(purpose: "the first one", command: "belfry webhook remove --app news 1")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let id = options[WebhookAddVerb.app] else { throw .usage("needs --app ID") }
        guard let number = Int64(options.operands[0]) else {
            throw .usage("NUMBER: found '\(options.operands[0])'; allowed: a whole number")
        }
        try await StoreOptions.with(options) { store in
            let app = try await StoreOptions.app(id, in: store)
            try await store.removeWebhook(number: number, app: app.number)
            try await StoreOptions.record("webhook.remove", "\(number)", app: app.number, in: store, context)
        }
        if context.isJSON {
            try context.console.printJSON(["removed": number])
        } else {
            context.console.print("webhook \(number) is removed")
        }
        return .done
    }
}
