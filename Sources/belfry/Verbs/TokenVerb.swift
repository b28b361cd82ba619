/// `belfry token`.
enum TokenVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["token"],
        summary: "print a provider token, for curl and other clients",
        discussion: """
            Signs a provider token (a JWT) with a .p8 key. APNs accepts it for one hour, and wants no more than \
            one new token in 20 minutes.
            """,
        options: [CredentialOptions.key.spec, CredentialOptions.keyID.spec, CredentialOptions.teamID.spec],
        examples: [
            .init(
                purpose: "for a header of curl, with the gateway's key",
                command:
                    "belfry token -k belfry-data/AuthKey_B3LFRY0001.p8 --key-id B3LFRY0001 --team-id B3LFRYTEAM"
            )
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        throw .unavailable("signing is not part of this build yet")
    }
}
