internal import APNsGateway
internal import FoundationEssentials

/// `belfry demo`.
enum DemoVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["demo"],
        summary: "run a gateway and two devices, send pushes, show what arrived",
        discussion: """
            Everything runs in this process, on free ports of the loopback address, with a folder that is \
            deleted at the end. Ends by itself.
            """,
        examples: [.init(purpose: "see it work", command: "belfry demo")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let files = FileManager.default
        let folder = files.temporaryDirectory.path + "/belfry-demo-\(UUID().uuidString)"
        defer { try? files.removeItem(atPath: folder) }
        let story = try await story(folder)
        if context.isJSON {
            try context.console.printJSON(story)
        } else {
            context.console.print(story.text)
        }
        return .done
    }

    private static func story(_ folder: String) async throws(CommandError) -> DemoStory {
        var configuration = GatewayConfiguration(folder: folder)
        configuration.productionPort = 0
        configuration.sandboxPort = 0
        configuration.controlPort = 0
        let gateway: Gateway
        do throws(GatewayError) {
            gateway = try await Gateway.start(configuration)
        } catch {
            throw .unavailable(error.message)
        }
        let result: Result<DemoStory, CommandError>
        do {
            result = .success(try await Demo(gateway).run())
        } catch let error as CommandError {
            result = .failure(error)
        } catch {
            result = .failure(.failed("\(error)"))
        }
        await gateway.stop()
        return try result.get()
    }
}
