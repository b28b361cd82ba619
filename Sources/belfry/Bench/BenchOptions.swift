internal import APNs
internal import APNsClient
internal import Crypto
internal import Transport

/// The options that the benchmarks of client and gateway share.
enum BenchOptions {
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

    static let all = [
        count.spec, warmUp.spec, connections.spec, payloadByteCount.spec, topic.spec, batch.spec,
    ]

    /// The benchmark of a client for an endpoint.
    static func bench(
        _ options: ParsedOptions, endpoint: Endpoint, credential: Credential, proxy: HTTPProxy? = nil
    ) throws(CommandError) -> ClientBench {
        let topic: Topic
        do throws(APNsError) {
            topic = try Topic(options[self.topic])
        } catch {
            throw .usage(error.message)
        }
        let configuration = APNsClient.Configuration(
            endpoint: endpoint, credential: credential, connectionCountMax: options[connections],
            unreachableAfter: .seconds(5), proxy: proxy)
        do throws(CryptoError) {
            return ClientBench(
                client: try APNsClient(configuration), topic: topic,
                payload: BenchPayload.make(byteCount: options[payloadByteCount]),
                batchCount: options[batch])
        } catch {
            throw .usage(error.message)
        }
    }

    /// A provider token's key that only a gateway started with `--open` accepts.
    static func throwawayCredential() throws(CommandError) -> Credential {
        do {
            let key = try SigningKey.generate()
            return .token(try ProviderTokenSource(keyID: "BENCHKEY01", teamID: "BENCHTEAM1", signingKey: key))
        } catch {
            throw .failed("cannot make a signing key: \(error)")
        }
    }

    static func print(_ report: ClientBenchReport, in context: CommandContext) throws(CommandError) {
        if context.isJSON {
            try context.console.printJSON(report)
        } else {
            context.console.print(report.text)
        }
    }
}
