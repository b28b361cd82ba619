internal import PushService
internal import PushStore
internal import Recurrence

/// `belfry webhook add`.
enum WebhookAddVerb: Verb {
    static let app = Option.optional("app", short: "a", .text("ID"), "The app's id.")
    static let events = Option.repeated(
        "event", ValueKind<WebhookEvent.Kind>.choice("NAME"), "An event to send; all of them when not given.")
    static let signingSecret = Option.optional(
        "signing-secret", .text("TEXT"),
        "What requests are signed with, 16 bytes or more; made up when not given.")

    static let declaration = VerbDeclaration(
        words: ["webhook", "add"],
        summary: "send an app's events to an address",
        discussion: """
            Events are posted as JSON and signed in the header X-Belfry-Signature: t=SECONDS,v1=HEX, where HEX is \
            HMAC-SHA256 with the secret over SECONDS, a dot and the body. An event is posted until the address \
            answers 2xx, for up to three days; it may arrive twice, with the same id, and before an earlier one. \
            The service requests the address from inside its own network.
            """,
        options: [app.spec, events.spec, signingSecret.spec] + StoreOptions.all,
        operands: OperandSpec(
            name: "URL", help: "Where events are posted, http:// or https://.", countMin: 1, countMax: 1),
        examples: [
            .init(
                purpose: "tell a backend when a push has ended",
                command: "belfry webhook add --app news --event push.done https://example.com/hooks/push")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let id = options[app] else { throw .usage("needs --app ID") }
        let kinds = Set(options[events])
        let made = Webhook(
            url: options.operands[0], secret: options[signingSecret] ?? WebhookSignature.makeSecret(),
            kinds: kinds.isEmpty ? Set(WebhookEvent.Kind.allCases) : kinds, createdAt: context.instant)
        let webhook = try await StoreOptions.with(options) { store in
            let app = try await StoreOptions.app(id, in: store)
            var webhook = made
            webhook.number = try await store.addWebhook(webhook, app: app.number)
            try await StoreOptions.record(
                "webhook.add", "\(webhook.number)", app: app.number, in: store, context)
            return webhook
        }
        let report = WebhookReport(webhook, showsSecret: true)
        if context.isJSON {
            try context.console.printJSON(report)
        } else {
            context.console.print(report.text)
        }
        return .done
    }
}
