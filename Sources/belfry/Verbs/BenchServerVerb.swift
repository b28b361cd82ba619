internal import Crypto
internal import FoundationEssentials
internal import Transport

/// `belfry bench server`.
enum BenchServerVerb: Verb {
    static let port = Option.value("port", short: "p", .port, default: 0, "Port; 0 takes a free one.")
    static let authorityPath = Option.value(
        "ca-out", .path("FILE"), default: "belfry-bench-ca.pem",
        "Where to write the certificate authority (PEM) that clients have to trust.")
    static let streams = Option.value(
        "streams", .integer("N", 1...1_000_000), default: 1000, "Streams that a client may have open.")

    static let declaration = VerbDeclaration(
        words: ["bench", "server"],
        summary: "run a server that accepts everything, to measure clients against",
        discussion: """
            Answers every request with 200 and an apns-id. What a client can reach is seen here, not against \
            the gateway, which checks and keeps books. Listens on 127.0.0.1, prints one line when it accepts \
            connections, and ends with SIGTERM or SIGINT.
            """,
        options: [port.spec, authorityPath.spec, streams.spec],
        examples: [
            .init(
                purpose: "then, in another terminal, belfry bench client --url … --ca ca.pem",
                command: "belfry bench server --port 2199 --ca-out ca.pem")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let loops = EventLoopGroup(count: 1, name: "bench-server")
        defer { loops.shutdown() }
        let server: BareServer
        do {
            server = try BareServer(loops: loops, maxConcurrentStreams: options[streams])
        } catch {
            throw .failed("cannot make the server's certificate: \(error)")
        }
        let path = options[authorityPath]
        do {
            try Data(server.authority.certificate.pem.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .unavailable("--ca-out \(path): cannot be written")
        }
        let port: Int
        do throws(TransportError) {
            port = try await server.server.listen(host: "127.0.0.1", port: options[self.port])
        } catch {
            throw .unavailable(error.message)
        }
        try BenchReadyLine(url: "https://localhost:\(port)", ca: path).print(in: context)
        await context.stop.wait()
        await server.server.shutdown(deadline: .seconds(1))
        return .done
    }
}
