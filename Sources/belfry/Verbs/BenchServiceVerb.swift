internal import APNs
internal import APNsClient
internal import FoundationEssentials
internal import PostgreSQL
internal import PushStore

/// `belfry bench service`.
enum BenchServiceVerb: Verb {
    static let installations = Option.value(
        "installations", short: "n", .integer("N", 1_000...100_000_000), default: 1_000_000,
        "Installations to make; a push matches 60 of 100.")
    static let upserts = Option.value(
        "upserts", .integer("N", 1...10_000_000), default: 50_000, "Registrations to measure.")
    static let callers = Option.value(
        "callers", .integer("N", 1...10_000), default: 256, "How many register at once.")

    static let declaration = VerbDeclaration(
        words: ["bench", "service"],
        summary: "measure the push service against a gateway",
        discussion: """
            Fills a database of its own with installations, then measures registrations, counts, and a push with \
            a where clause, twice: the first one learns each device's environment. The gateway has to be started \
            with --open. Where there are two cores, keep the two apart with taskset.
            """,
        options: [
            installations.spec, upserts.spec, callers.spec, StoreOptions.database.spec,
            EndpointOptions.url.spec, EndpointOptions.authority.spec,
        ],
        examples: [
            .init(
                purpose: "against a gateway started with --open",
                command: "belfry bench service --url https://localhost:2197 --ca belfry-data/ca.pem")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard options.isGiven(EndpointOptions.url) else { throw .usage("needs --url") }
        let endpoint = try EndpointOptions.endpoint(options, environment: .production)
        guard !endpoint.host.lowercased().contains(/(^|\.)apple\.com\.?$/) else {
            throw .usage("--url: found a host of Apple's; allowed: a server of your own")
        }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "belfry-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let secret = StoreSecret.random()
            let address = try options[StoreOptions.database].map { try ConnectionString($0) }
            let path = folder.path + "/" + SQLiteStore.fileName
            let report = try await ServiceBench(
                openStore: { isFilling in
                    if let address { return try await PostgreSQLStore.open(address, secret: secret) }
                    return try await SQLiteStore.open(
                        path: path, secret: secret,
                        configuration: isFilling ? .bulk : SQLiteStore.Configuration())
                },
                endpoint: endpoint, installationCount: options[installations],
                upsertCount: options[upserts], callerCount: options[callers]
            ).measure(console: context.console)
            if context.isJSON {
                try context.console.printJSON(report)
            } else {
                context.console.print(report.text)
            }
            return report.pushes.allSatisfy { $0.devices == $0.successes } ? .done : .failed
        } catch let error as CommandError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }
}
