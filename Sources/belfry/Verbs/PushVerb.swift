internal import APNs

/// `belfry push`.
enum PushVerb: Verb {
    static let direct = Option.flag("direct", "Straight to APNs or a gateway; the only way in this release.")
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
        ] + CredentialOptions.all + EndpointOptions.all,
        operands: OperandSpec(name: "TOKEN", help: "A device token in hexadecimal digits.", countMin: 0),
        examples: [
            .init(
                purpose: "to a device of a gateway on this machine",
                command: "belfry push --direct --url https://localhost:2197 --ca belfry-data/ca.pem"
                    + " --key belfry-data/AuthKey_B3LFRY0001.p8 --key-id B3LFRY0001 --team-id B3LFRYTEAM"
                    + " --topic com.example.App --title Hello \"$TOKEN\""),
            .init(
                purpose: "through Apple's sandbox, with a payload of your own",
                command: "belfry push --direct -e sandbox -k AuthKey_ABC123DEFG.p8 --key-id ABC123DEFG"
                    + " --team-id DEF123GHIJ --topic com.example.App --payload payload.json --tokens tokens.txt"
            ),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        throw .unavailable("the client is not part of this build yet")
    }
}
