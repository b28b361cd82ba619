internal import PushStore
internal import Recurrence

/// `belfry app rotate`.
enum AppRotateVerb: Verb {
    static let kind = Option.optional(
        "kind", ValueKind<AppKey.Kind>.choice("KIND"), "Which key gets a successor.")
    static let key = Option.optional("key", .text("KEY"), "The new key; made up when not given.")
    static let overlap = Option.value(
        "overlap", .duration(), default: .seconds(30 * 86_400), defaultText: "30d",
        "How long the former key stays valid beside the new one.")

    static let declaration = VerbDeclaration(
        words: ["app", "rotate"],
        summary: "give an app a new app key or master key",
        discussion: """
            The former key stays valid for a while, so that apps on phones and servers can change over. Apps on \
            phones may take months: choose the overlap of an app key accordingly, up to a year.
            """,
        options: [kind.spec, key.spec, overlap.spec] + StoreOptions.all,
        operands: OperandSpec(name: "ID", help: "The app's id.", countMin: 1, countMax: 1),
        examples: [
            .init(
                purpose: "after a server was lost: the former master key ends in an hour",
                command: "belfry app rotate news --kind master --overlap 1h")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let kind = options[kind] else { throw .usage("needs --kind app or --kind master") }
        let secret = options[key] ?? AppSecret.make()
        let end = context.instant.advanced(bySeconds: options[overlap].components.seconds)
        try await StoreOptions.with(options) { store in
            let app = try await StoreOptions.app(options.operands[0], in: store)
            try await store.rotateKey(
                app: app.number, kind: kind, secret: secret, formerValidUntil: end, now: context.instant)
            try await StoreOptions.record(
                "key.rotate", "\(kind.rawValue) key, the former until \(end.iso8601)", app: app.number,
                in: store,
                context)
        }
        if context.isJSON {
            try context.console.printJSON(
                Report(
                    id: options.operands[0], kind: kind.rawValue, key: secret, formerValidUntil: end.iso8601))
        } else {
            context.console.print("\(kind.rawValue) key  \(secret)")
            context.console.print("the former is valid until \(end.iso8601)")
        }
        return .done
    }

    private struct Report: Encodable, Sendable {
        var id: String
        var kind: String
        var key: String
        var formerValidUntil: String
    }
}
