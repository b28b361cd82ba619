internal import APNs
internal import APNsClient
internal import Crypto

/// `belfry push`.
enum PushVerb: Verb {
    static let direct = Option.flag("direct", "Straight to APNs or a gateway, without a push service.")
    static let tokens = Option.optional(
        "tokens", .path("FILE"), "A file with a device token a line, besides those on the command line.")
    static let title = Option.optional("title", .text("TEXT"), "The alert's title.")
    static let subtitle = Option.optional("subtitle", .text("TEXT"), "The alert's second line.")
    static let body = Option.optional("body", short: "b", .text("TEXT"), "The alert's text.")
    static let badge = Option.optional(
        "badge", .integer("N", 0...Int(Int32.max)), "The number on the app's icon.")
    static let sound = Option.optional("sound", .text("NAME"), "A sound of the app, or 'default'.")
    static let category = Option.optional("category", .text("ID"), "The category, which brings its actions.")
    static let thread = Option.optional("thread", .text("ID"), "The thread that groups notifications.")
    static let payload = Option.optional(
        "payload", .path("FILE"), "The whole payload as JSON, sent byte for byte; '-' is standard input.")

    static let timeout = Option.value(
        "timeout", .duration(), default: .seconds(10), defaultText: "10s",
        "How long to try while no connection can be made.")

    static let declaration = VerbDeclaration(
        words: ["push"],
        summary: "send a notification",
        discussion: """
            Prints one line for each device token: accepted, refused with APNs' reason, or not answered. \
            Accepted means that APNs took the notification, not that a device has shown it. The exit code is 1 \
            when any was not accepted.
            """,
        options: [direct.spec, tokens.spec] + HeaderOptions.all + [
            title.spec, subtitle.spec, body.spec, badge.spec, sound.spec, category.spec, thread.spec,
            payload.spec,
        ] + CredentialOptions.all + EndpointOptions.all + [timeout.spec] + ServicePush.all,
        operands: OperandSpec(name: "TOKEN", help: "A device token in hexadecimal digits.", countMin: 0),
        examples: [
            .init(
                purpose: "to a device of a gateway on this machine",
                command: "belfry push --direct --url https://localhost:2197 --ca belfry-data/ca.pem"
                    + " --key belfry-data/AuthKey_B3LFRY0001.p8 --team-id B3LFRYTEAM"
                    + " --topic com.example.App --title Hello \"$TOKEN\""),
            .init(
                purpose: "through Apple's sandbox, with a payload of your own",
                command: "belfry push --direct -e sandbox -k AuthKey_ABC123DEFG.p8"
                    + " --team-id DEF123GHIJ --topic com.example.App --payload payload.json --tokens tokens.txt"
            ),
            .init(
                purpose: "through a push service, to a channel, with the master key in BELFRY_MASTER_KEY",
                command: "belfry push --service http://localhost:8080 --app news --channel sport --title Goal"
            ),
        ])

    /// Notifications handed to the client at a time.
    private static let batchCount = 10_000

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        if options[ServiceClient.service] != nil {
            guard !options[direct] else {
                throw .usage("--direct and --service: found both; allowed: one of them")
            }
            return try await ServicePush.run(options, in: context)
        }
        guard options[direct] else { throw .usage("needs --direct, or --service URL") }
        let tokens = try TokenList.read(options.operands, file: options[Self.tokens])
        let request = try PushRequest(options, now: context.now())
        for finding in Lint.notification(request.notification(to: tokens[0]), now: context.now()) {
            context.log.warning("payload", ["key": finding.keyPath, "finding": finding.message])
        }
        let client = try client(options)
        var report = PushReport()
        var progress = ProgressBar(total: tokens.count, console: context.console)
        for start in stride(from: 0, to: tokens.count, by: batchCount) {
            let batch = tokens[start..<min(start + batchCount, tokens.count)]
            let outcomes = await client.send(batch.map(request.notification))
            progress.finish()
            for (token, outcome) in zip(batch, outcomes) { try report.add(outcome, for: token, in: context) }
            progress.update(start + batch.count, report.summary)
        }
        progress.finish()
        await client.shutdown()
        if tokens.count > 1, !context.isJSON { context.console.print(report.summary) }
        if report.isNothingAnswered { return .unavailable }
        return report.acceptedCount == tokens.count ? .done : .failed
    }

    private static func client(_ options: ParsedOptions) throws(CommandError) -> APNsClient {
        let configuration = APNsClient.Configuration(
            endpoint: try EndpointOptions.endpoint(
                options, environment: options[EndpointOptions.environment]),
            credential: try CredentialOptions.credential(options),
            unreachableAfter: options[timeout], proxy: options[EndpointOptions.proxy])
        do throws(CryptoError) {
            return try APNsClient(configuration)
        } catch {
            throw .usage(error.message)
        }
    }
}
