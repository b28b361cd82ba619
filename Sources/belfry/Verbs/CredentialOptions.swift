/// The options that name an APNs credential, as `push` and `bench client` take them.
enum CredentialOptions {
    static let key = Option.optional(
        "key", short: "k", .path("FILE"), "The .p8 signing key from Apple, or the gateway's.")
    static let keyID = Option.optional("key-id", .text("ID"), "The key's ten-character id.")
    static let teamID = Option.optional("team-id", .text("ID"), "The team's ten-character id.")
    static let certificate = Option.optional(
        "certificate", .path("FILE"),
        "A client certificate with its private key, .p12 or .pem, instead of a key.")
    static let password = Option.optional(
        "password", .text("TEXT"),
        "The certificate file's password. Other users see a command line: prefer BELFRY_PASSWORD.")

    static let all = [key.spec, keyID.spec, teamID.spec, certificate.spec, password.spec]
}
