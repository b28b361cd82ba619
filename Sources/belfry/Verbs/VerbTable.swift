/// Every verb, in the order in which help lists them.
enum VerbTable {
    static let all: [any Verb.Type] = {
        var all = portable
        #if canImport(VirtualPhone)
        let gateway = all.firstIndex { $0 == GatewayVerb.self } ?? all.endIndex - 1
        all.insert(PhoneVerb.self, at: gateway + 1)
        let lint = all.firstIndex { $0 == LintVerb.self } ?? all.endIndex - 1
        all.insert(DemoVerb.self, at: lint)
        #endif
        return all
    }()

    private static let portable: [any Verb.Type] = [
        AppCreateVerb.self,
        AppListVerb.self,
        AppShowVerb.self,
        AppRotateVerb.self,
        AppUpdateVerb.self,
        KeyAddVerb.self,
        KeyListVerb.self,
        KeyCheckVerb.self,
        KeyRemoveVerb.self,
        WebhookAddVerb.self,
        WebhookListVerb.self,
        WebhookRemoveVerb.self,
        UserAddVerb.self,
        UserListVerb.self,
        UserRemoveVerb.self,
        ImportVerb.self,
        BackupVerb.self,
        MigrateVerb.self,
        BenchClientVerb.self,
        BenchGatewayVerb.self,
        BenchServiceVerb.self,
        BenchServerVerb.self,
        BenchRelayVerb.self,
        LintVerb.self,
        ServeVerb.self,
        GatewayVerb.self,
        PreviewVerb.self,
        ExplainVerb.self,
        PushVerb.self,
        TokenVerb.self,
        CompletionVerb.self,
        HelpVerb.self,
        VersionVerb.self,
    ]

    static let declarations = all.map { $0.declaration }

    /// Words that begin several verbs, with what those have in common.
    static let groups: [String: String] = [
        "app": "apps of a push service, their keys and settings",
        "bench": "measure throughput, latency, CPU time and memory",
        "key": "credentials for APNs",
        "user": "users of the console in the browser",
        "webhook": "addresses that are told of an app's events",
    ]

    /// The verb whose words begin the arguments, and the arguments after them.
    static func find(_ arguments: [String]) -> (verb: any Verb.Type, rest: [String])? {
        let matching = all.filter { arguments.starts(with: $0.declaration.words) }
        guard let verb = matching.max(by: { $0.declaration.words.count < $1.declaration.words.count }) else {
            return nil
        }
        return (verb, Array(arguments.dropFirst(verb.declaration.words.count)))
    }

    /// The next words that may follow some words: `[]` gives the first words of all verbs.
    static func nextWords(after words: [String]) -> [String] {
        var next: [String] = []
        for declaration in declarations where declaration.words.count > words.count {
            let word = declaration.words[words.count]
            if declaration.words.starts(with: words), !next.contains(word) { next.append(word) }
        }
        return next
    }

    /// What help says beside a first word.
    static func summary(of word: String) -> String {
        groups[word] ?? declarations.first { $0.words == [word] }?.summary ?? ""
    }
}
