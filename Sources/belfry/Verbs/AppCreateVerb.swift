internal import PushStore

/// `belfry app create`.
enum AppCreateVerb: Verb {
    static let topic = Option.optional(
        "topic", .text("TOPIC"), "The app's bundle id, the topic of its pushes.")
    static let id = Option.optional(
        "id", .text("ID"), "The app id that clients send (X-LC-Id); made up when not given.")
    static let key = Option.optional("key", .text("KEY"), "The app key; made up when not given.")
    static let masterKey = Option.optional(
        "master-key", .text("KEY"), "The master key; made up when not given.")

    static let declaration = VerbDeclaration(
        words: ["app", "create"],
        summary: "make an app with its id and keys",
        discussion: """
            Prints the id and both keys; they can be seen again with 'belfry app show --secrets' only. An app that \
            comes from LeanCloud keeps its id and keys, so that apps on phones go on working.
            """,
        options: [topic.spec, id.spec, key.spec, masterKey.spec] + StoreOptions.all,
        operands: OperandSpec(name: "NAME", help: "A name for people.", countMin: 1, countMax: 1),
        examples: [
            .init(purpose: "with keys made up", command: "belfry app create News --topic com.example.news"),
            .init(
                purpose: "with the id and keys an app had at LeanCloud",
                command: "belfry app create News --topic com.example.news --id \"$APP_ID\" --key \"$APP_KEY\""
                    + " --master-key \"$MASTER_KEY\""),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let topic = options[topic] else { throw .usage("needs --topic, the app's bundle id") }
        let report = Report(
            id: options[id] ?? AppSecret.make(), key: options[key] ?? AppSecret.make(),
            masterKey: options[masterKey] ?? AppSecret.make())
        try await StoreOptions.with(options, for: .beginning) { store in
            let app = try await store.createApp(
                id: report.id, name: options.operands[0], topic: topic, appKey: report.key,
                masterKey: report.masterKey, now: context.instant)
            try await StoreOptions.record("app.create", app.id, app: app.number, in: store, context)
        }
        if context.isJSON {
            try context.console.printJSON(report)
        } else {
            context.console.print("id          \(report.id)")
            context.console.print("app key     \(report.key)")
            context.console.print("master key  \(report.masterKey)")
        }
        return .done
    }

    private struct Report: Encodable, Sendable {
        var id: String
        var key: String
        var masterKey: String
    }
}
