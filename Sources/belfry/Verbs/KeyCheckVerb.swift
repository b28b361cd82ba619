internal import PushService
internal import PushStore
internal import Recurrence

/// `belfry key check`.
enum KeyCheckVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["key", "check"],
        summary: "ask APNs whether it knows an app's credentials",
        discussion: """
            Sends a push to a made-up device token with each credential. The exit code is 1 when APNs refuses one, \
            69 when it does not answer.
            """,
        options: [KeyAddVerb.app.spec] + ProbeOptions.all + StoreOptions.all,
        examples: [.init(purpose: "at Apple's services", command: "belfry key check --app news")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let id = options[KeyAddVerb.app] else { throw .usage("needs --app ID") }
        let probe = try ProbeOptions.probe(options)
        let results = try await StoreOptions.with(options) { store in
            let app = try await StoreOptions.app(id, in: store)
            var results: [(report: CredentialReport, isRefused: Bool)] = []
            for var credential in try await store.credentials(app: app.number) {
                let verdicts = try await probe.check(credential, topic: app.topic)
                let check = verdicts.stored(atMilliseconds: context.instant.millisecondsSince1970)
                try await store.storeCheck(check, credential: credential.number)
                credential.check = check
                results.append((CredentialReport(credential), verdicts.isRefused))
            }
            return results
        }
        for (report, _) in results {
            if context.isJSON {
                try context.console.printJSON(report)
            } else {
                context.console.print(report.text)
            }
        }
        if results.contains(where: \.isRefused) { return .failed }
        return results.allSatisfy { $0.report.check?.isGood == true } ? .done : .unavailable
    }
}
