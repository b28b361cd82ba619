internal import APNs
internal import Crypto

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
                    "belfry token -k belfry-data/AuthKey_B3LFRY0001.p8 --team-id B3LFRYTEAM"
            )
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let key = try CredentialOptions.signingKey(options)
        let (keyID, teamID) = try CredentialOptions.ids(options)
        let claims = ProviderTokenClaims(keyID: keyID, teamID: teamID, issuedAt: context.now())
        let token: String
        do throws(CryptoError) {
            let signature = try key.sign(claims.signingInput)
            token = String(decoding: claims.token(signature: signature), as: UTF8.self)
        } catch {
            throw .failed(error.message)
        }
        if context.isJSON {
            try context.console.printJSON(
                Report(token: token, key_id: keyID, team_id: teamID, issued_at: claims.issuedAt))
        } else {
            context.console.print(token)
        }
        return .done
    }

    private struct Report: Encodable, Sendable {
        var token: String
        var key_id: String
        var team_id: String
        var issued_at: Int64
    }
}
