internal import APNs
internal import APNsClient
internal import Crypto
internal import Transport

/// `belfry bench client`.
enum BenchClientVerb: Verb {
    static let count = Option.value(
        "count", short: "n", .integer("N", 1...1_000_000_000), default: 100_000, "Notifications to send.")
    static let warmUp = Option.value(
        "warm-up", .integer("N", 0...10_000_000), default: 10_000,
        "Notifications to send first, which are not measured.")
    static let connections = Option.value(
        "connections", short: "c", .integer("N", 1...1000), default: 1, "Connections at most.")
    static let payloadByteCount = Option.value(
        "payload-bytes", .integer("N", BenchPayload.byteCountMin...4096), default: 200,
        "Size of each payload.")
    static let topic = Option.value(
        "topic", short: "t", .text("TOPIC"), default: "com.example.App", "The header apns-topic.")
    static let batch = Option.value(
        "batch", .integer("N", 1...1_000_000), default: 5000, "Notifications in one call of send.")

    static let declaration = VerbDeclaration(
        words: ["bench", "client"],
        summary: "measure the client against a server of your own",
        discussion: """
            Sends notifications to distinct device tokens as fast as the server takes them, and prints rate, \
            CPU time, latency and memory. Without a credential it signs with a key made for the run, which a \
            gateway started with --open accepts. Apple's hosts are refused.
            """,
        options: [
            count.spec, warmUp.spec, connections.spec, payloadByteCount.spec, topic.spec, batch.spec,
            EndpointOptions.url.spec, EndpointOptions.authority.spec, EndpointOptions.proxy.spec,
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
        let bench = ClientBench(
            client: try client(options), topic: try topic(options),
            payload: BenchPayload.make(byteCount: options[payloadByteCount]), batchCount: options[batch],
            batchesInFlight: 3)
        if options[warmUp] > 0 {
            let (report, _) = await bench.run(count: options[warmUp]) { _ in }
            guard report.unanswered < report.notifications else {
                let reason = report.reasons.keys.sorted().joined(separator: ", ")
                throw .unavailable("no notification was answered: \(reason)")
            }
        }
        var progress = ProgressBar(total: options[count], console: context.console)
        let clock = ContinuousClock()
        let usage = ProcessUsage.now()
        let start = clock.now
        var (report, latencies) = await bench.run(count: options[count]) { progress.update($0) }
        report.finish(latencies, elapsed: clock.now - start, from: usage, to: .now())
        progress.finish()
        await bench.client.shutdown()
        if context.isJSON {
            try context.console.printJSON(report)
        } else {
            context.console.print(report.text)
        }
        return report.accepted == report.notifications ? .done : .failed
    }

    private static func topic(_ options: ParsedOptions) throws(CommandError) -> Topic {
        do throws(APNsError) {
            return try Topic(options[topic])
        } catch {
            throw .usage(error.message)
        }
    }

    private static func client(_ options: ParsedOptions) throws(CommandError) -> APNsClient {
        guard options.isGiven(EndpointOptions.url) else { throw .usage("needs --url") }
        let endpoint = try EndpointOptions.endpoint(options, environment: .production)
        // A name may end with the root's dot.
        guard !endpoint.host.lowercased().contains(/(^|\.)apple\.com\.?$/) else {
            throw .usage("--url: found a host of Apple's; allowed: a server of your own")
        }
        let isNamed = options.isGiven(CredentialOptions.key) || options.isGiven(CredentialOptions.certificate)
        let credential = isNamed ? try CredentialOptions.credential(options) : try throwawayCredential()
        let configuration = APNsClient.Configuration(
            endpoint: endpoint, credential: credential, connectionCountMax: options[connections],
            unreachableAfter: .seconds(5), proxy: options[EndpointOptions.proxy])
        do throws(CryptoError) {
            return try APNsClient(configuration)
        } catch {
            throw .usage(error.message)
        }
    }

    private static func throwawayCredential() throws(CommandError) -> Credential {
        do {
            let key = try SigningKey.generate()
            return .token(try ProviderTokenSource(keyID: "BENCHKEY01", teamID: "BENCHTEAM1", signingKey: key))
        } catch {
            throw .failed("cannot make a signing key: \(error)")
        }
    }
}
