import APNs
import APNsClient
import APNsGateway
import Crypto
import FoundationEssentials

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
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "belfry-demo-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = GatewayConfiguration(folder: folder)
        configuration.productionPort = 0
        configuration.sandboxPort = 0
        configuration.controlPort = 0
        do {
            let gateway = try await Gateway.start(configuration)
            let story = try DemoStory(gateway: gateway, folder: folder, console: context.console)
            let status = await story.tell()
            await gateway.stop()
            return status
        } catch let error as GatewayError {
            throw .unavailable(error.message)
        } catch {
            throw .failed("\(error)")
        }
    }
}
