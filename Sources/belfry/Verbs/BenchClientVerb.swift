internal import APNs
internal import APNsClient

/// `belfry bench client`.
enum BenchClientVerb: Verb {
    static let anyAnswer = Option.flag(
        "any-answer", "Count a refusal as a success too, for a server that knows no APNs; exits 0.")

    static let declaration = VerbDeclaration(
        words: ["bench", "client"],
        summary: "measure the client against a server of your own",
        discussion: """
            Sends notifications to distinct device tokens as fast as the server takes them, and prints rate, \
            CPU time, latency and memory. Without a credential it signs with a key made for the run, which a \
            gateway started with --open accepts. Apple's hosts are refused.

            More than one connection is opened only when those that stand are full and the processor is not.
            """,
        options: BenchOptions.all + [
            anyAnswer.spec, EndpointOptions.url.spec, EndpointOptions.authority.spec,
            EndpointOptions.proxy.spec,
        ] + CredentialOptions.all,
        examples: [
            .init(
                purpose: "against a gateway started with --open",
                command:
                    "belfry bench client --url https://localhost:2197 --ca belfry-data/ca.pem -n 500000 -c 4")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let bench = try BenchOptions.bench(
            options, endpoint: try endpoint(options), credential: try credential(options),
            proxy: options[EndpointOptions.proxy])
        let report = try await bench.measure(
            count: options[BenchOptions.count], warmUpCount: options[BenchOptions.warmUp],
            console: context.console)
        try BenchOptions.print(report, in: context)
        let succeeded = report.accepted + (options[anyAnswer] ? report.refused : 0)
        return succeeded == report.notifications ? .done : .failed
    }

    private static func endpoint(_ options: ParsedOptions) throws(CommandError) -> Endpoint {
        guard options.isGiven(EndpointOptions.url) else { throw .usage("needs --url") }
        let endpoint = try EndpointOptions.endpoint(options, environment: .production)
        // A name may end with the root's dot.
        guard !endpoint.host.lowercased().contains(/(^|\.)apple\.com\.?$/) else {
            throw .usage("--url: found a host of Apple's; allowed: a server of your own")
        }
        return endpoint
    }

    private static func credential(_ options: ParsedOptions) throws(CommandError) -> Credential {
        let isNamed = options.isGiven(CredentialOptions.key) || options.isGiven(CredentialOptions.certificate)
        return isNamed ? try CredentialOptions.credential(options) : try BenchOptions.throwawayCredential()
    }
}
