internal import APNsClient
internal import APNsGateway
internal import FoundationEssentials

/// `belfry bench gateway`.
enum BenchGatewayVerb: Verb {
    static let threads = GatewayVerb.threads

    static let declaration = VerbDeclaration(
        words: ["bench", "gateway"],
        summary: "measure the gateway under the load of Belfry's own client",
        discussion: """
            Starts a gateway in this process, on a free port, with a folder that is deleted at the end, and \
            sends notifications to distinct device tokens as fast as it takes them. It checks and journals \
            every request, as `belfry gateway --open` does. CPU time is told apart by thread on Linux; \
            elsewhere it is that of client and gateway together.

            For a load from a process of its own, start `belfry gateway --open` and run `belfry bench client`.
            """,
        options: BenchOptions.all + [threads.spec],
        examples: [
            .init(purpose: "half a million notifications", command: "belfry bench gateway -n 500000")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let files = FileManager.default
        let folder = files.temporaryDirectory.path + "/belfry-bench-\(UUID().uuidString)"
        defer { try? files.removeItem(atPath: folder) }
        let gateway = try await start(options, folder: folder)
        let report: ClientBenchReport
        do throws(CommandError) {
            report = try await measure(gateway, options, console: context.console)
        } catch {
            await gateway.stop()
            throw error
        }
        await gateway.stop()
        try BenchOptions.print(report, in: context)
        return report.accepted == report.notifications ? .done : .failed
    }

    private static func start(
        _ options: ParsedOptions, folder: String
    ) async throws(CommandError) -> Gateway {
        var configuration = GatewayConfiguration(folder: folder)
        configuration.productionPort = 0
        configuration.sandboxPort = nil
        configuration.controlPort = 0
        configuration.isOpen = true
        configuration.threadCount = options[threads]
        do throws(GatewayError) {
            return try await Gateway.start(configuration)
        } catch {
            throw .unavailable(error.message)
        }
    }

    private static func measure(
        _ gateway: Gateway, _ options: ParsedOptions, console: Console
    ) async throws(CommandError) -> ClientBenchReport {
        let trust = try EndpointOptions.trust(gateway.addresses.authorityPath)
        let endpoint: Endpoint
        do throws(APNsClientError) {
            endpoint = try Endpoint(url: gateway.addresses.production ?? "", trust: trust)
        } catch {
            throw .failed(error.message)
        }
        let bench = try BenchOptions.bench(
            options, endpoint: endpoint, credential: try BenchOptions.throwawayCredential())
        return try await bench.measure(
            count: options[BenchOptions.count], warmUpCount: options[BenchOptions.warmUp],
            othersCPU: { ProcessUsage.cpu(ofThreadsNamed: "gateway") }, console: console)
    }
}
