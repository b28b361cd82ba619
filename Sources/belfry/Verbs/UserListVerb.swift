internal import PushStore
internal import Recurrence

/// `belfry user list`.
enum UserListVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["user", "list"],
        summary: "list the users of the console",
        options: StoreOptions.all,
        examples: [.init(purpose: "as text", command: "belfry user list")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let users = try await StoreOptions.with(options) { try await $0.consoleUsers() }
        for user in users {
            let report = Report(
                name: user.name, role: user.role.rawValue, signedInAt: user.signedInAt?.iso8601)
            if context.isJSON {
                try context.console.printJSON(report)
            } else {
                let seen = report.signedInAt.map { "signed in at \($0)" } ?? "never signed in"
                context.console.print("\(report.name)  \(report.role)  \(seen)")
            }
        }
        return .done
    }

    private struct Report: Encodable, Sendable {
        var name: String
        var role: String
        var signedInAt: String?
    }
}
