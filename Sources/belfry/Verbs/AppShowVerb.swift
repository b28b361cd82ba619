internal import PushStore
internal import Recurrence

/// `belfry app show`.
enum AppShowVerb: Verb {
    static let secrets = Option.flag(
        "secrets", "Show the keys too; anybody who reads them can send as the app.")

    static let declaration = VerbDeclaration(
        words: ["app", "show"],
        summary: "show an app, its settings and keys",
        options: [secrets.spec] + StoreOptions.all,
        operands: OperandSpec(name: "ID", help: "The app's id.", countMin: 1, countMax: 1),
        examples: [.init(purpose: "with its keys", command: "belfry app show news --secrets")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let report = try await StoreOptions.with(options) { store in
            let app = try await StoreOptions.app(options.operands[0], in: store)
            let keys = try await store.keys(app: app.number, now: context.instant)
            return Report(
                id: app.id, name: app.name, topic: app.topic, createdAt: app.createdAt.iso8601,
                settings: app.settings,
                keys: keys.map { key in
                    Report.Key(
                        kind: key.kind.rawValue, key: options[secrets] ? key.secret : nil,
                        createdAt: key.createdAt.iso8601, validUntil: key.expiresAt?.iso8601)
                })
        }
        if context.isJSON {
            try context.console.printJSON(report)
            return .done
        }
        context.console.print("id       \(report.id)")
        context.console.print("name     \(report.name)")
        context.console.print("topic    \(report.topic)")
        context.console.print("created  \(report.createdAt)")
        for key in report.keys {
            let end = key.validUntil.map { ", valid until \($0)" } ?? ""
            context.console.print(
                "\(key.kind) key of \(key.createdAt)\(end)\(key.key.map { ": \($0)" } ?? "")")
        }
        return .done
    }

    private struct Report: Encodable, Sendable {
        struct Key: Encodable, Sendable {
            var kind: String
            var key: String?
            var createdAt: String
            var validUntil: String?
        }

        var id: String
        var name: String
        var topic: String
        var createdAt: String
        var settings: AppSettings
        var keys: [Key]
    }
}
