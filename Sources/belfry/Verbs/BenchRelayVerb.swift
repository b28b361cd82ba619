internal import Transport

/// `belfry bench relay`.
enum BenchRelayVerb: Verb {
    /// Where a connection goes on to.
    struct Target: Sendable, Hashable {
        var host: String
        var port: Int
    }

    static let target = Option.optional(
        "to", .target, "The server to pass connections on to.")
    static let delay = Option.value(
        "delay", .duration(max: .seconds(10)), default: .milliseconds(75), defaultText: "75ms",
        "How late each byte arrives, in either direction: half of the round trip. At most 10s.")
    static let port = Option.value("port", short: "p", .port, default: 0, "Port; 0 takes a free one.")

    static let declaration = VerbDeclaration(
        words: ["bench", "relay"],
        summary: "put distance between a client and a server: pass TCP on with a delay",
        discussion: """
            Shows what a far server does to a client's rate, without a network. The rate of bytes is not \
            limited, and the opening of a connection is not delayed. Listens on 127.0.0.1, prints one line \
            when it accepts connections, and ends with SIGTERM or SIGINT.
            """,
        options: [target.spec, delay.spec, port.spec],
        examples: [
            .init(
                purpose: "a gateway that is a round trip of 150 ms away",
                command: "belfry bench relay --to localhost:2197 --delay 75ms --port 2297")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let target = options[target] else { throw .usage("needs --to") }
        let loops = EventLoopGroup(count: 1, name: "bench-relay")
        defer { loops.shutdown() }
        let relay = DelayRelay(
            to: target.host, port: target.port, delay: options[delay], loop: loops.next())
        let port: Int
        do throws(TransportError) {
            port = try await relay.listen(host: "127.0.0.1", port: options[self.port])
        } catch {
            throw .unavailable(error.message)
        }
        try BenchReadyLine(url: "https://localhost:\(port)").print(in: context)
        await context.stop.wait()
        return .done
    }
}

extension ValueKind where Value == BenchRelayVerb.Target {
    /// `host:port`; an IPv6 address in brackets.
    fileprivate static let target = Self(
        placeholder: "HOST:PORT", allowed: "a host and a port, such as localhost:2197"
    ) { text in
        guard let match = text.wholeMatch(of: #/(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@?# ]+):([0-9]{1,5})/#),
            let port = Int(match.2), (1...65535).contains(port)
        else { return nil }
        let host = match.1.hasPrefix("[") ? match.1.dropFirst().dropLast() : match.1
        return .init(host: String(host), port: port)
    }
}
