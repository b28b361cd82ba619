internal import PushStore

/// `belfry app list`.
enum AppListVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["app", "list"],
        summary: "list the apps",
        options: StoreOptions.all,
        examples: [
            .init(purpose: "as a table", command: "belfry app list"),
            .init(purpose: "an object a line, for a script", command: "belfry app list --json"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let apps = try await StoreOptions.with(options) { store in
            var reports: [Report] = []
            for app in try await store.apps() {
                reports.append(
                    Report(
                        id: app.id, name: app.name, topic: app.topic,
                        installations: try await store.installationCount(
                            nil, app: app.number, now: context.instant),
                        credentials: try await store.credentials(app: app.number).count))
            }
            return reports
        }
        for app in apps {
            if context.isJSON {
                try context.console.printJSON(app)
            } else {
                context.console.print(
                    "\(app.id)  \(app.name)  \(app.topic)  \(app.installations) installations  "
                        + "\(app.credentials) credentials")
            }
        }
        return .done
    }

    private struct Report: Encodable, Sendable {
        var id: String
        var name: String
        var topic: String
        var installations: Int
        var credentials: Int
    }
}
