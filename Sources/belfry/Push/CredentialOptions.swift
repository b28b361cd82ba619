internal import APNsClient
internal import Crypto

/// The options that name an APNs credential, as `push`, `token` and `bench client` take them.
enum CredentialOptions {
    static let key = Option.optional(
        "key", short: "k", .path("FILE"), "The .p8 signing key from Apple, or the gateway's.")
    static let keyID = Option.optional(
        "key-id", .text("ID"), "The key's ten-character id; known when the file is called AuthKey_<id>.p8.")
    static let teamID = Option.optional("team-id", .text("ID"), "The team's ten-character id.")
    static let certificate = Option.optional(
        "certificate", .path("FILE"),
        "A client certificate with its private key, .p12 or .pem, instead of a key.")
    static let password = Option.optional(
        "password", .text("TEXT"),
        "The certificate file's password. Other users see a command line: prefer BELFRY_PASSWORD.")

    static let all = [key.spec, keyID.spec, teamID.spec, certificate.spec, password.spec]

    /// Reads the credential that the options name.
    static func credential(_ options: ParsedOptions) throws(CommandError) -> Credential {
        switch (options[key], options[certificate]) {
        case (nil, nil):
            throw .usage("needs a credential: --key FILE with --team-id, or --certificate FILE")
        case (_?, _?):
            throw .usage("--key and --certificate: found both; allowed: one of them")
        case (_?, nil):
            let source = try tokenSource(options)
            return .token(source)
        case (nil, let path?):
            return .certificate(try identity(path, password: options[password]))
        }
    }

    /// Reads signing key and ids.
    static func tokenSource(_ options: ParsedOptions) throws(CommandError) -> ProviderTokenSource {
        let signingKey = try signingKey(options)
        let (keyID, teamID) = try ids(options)
        do throws(APNsClientError) {
            return try ProviderTokenSource(keyID: keyID, teamID: teamID, signingKey: signingKey)
        } catch {
            throw .usage(error.message)
        }
    }

    static func signingKey(_ options: ParsedOptions) throws(CommandError) -> SigningKey {
        guard let path = options[key] else { throw .usage("needs --key FILE") }
        let bytes = try InputFile.read(path)
        do throws(CryptoError) {
            return try SigningKey(p8: bytes)
        } catch {
            throw .usage("--key \(path): \(error.message)")
        }
    }

    /// Key id and team id; Apple names its key files after the id.
    static func ids(_ options: ParsedOptions) throws(CommandError) -> (keyID: String, teamID: String) {
        let file = options[key]?.split(separator: "/").last ?? ""
        let named = file.wholeMatch(of: /AuthKey_([A-Za-z0-9]{10})\.p8/).map { String($0.1) }
        guard let keyID = options[keyID] ?? named else {
            throw .usage(
                "needs --key-id: the file is not called AuthKey_<id>.p8, so its name does not tell it")
        }
        guard let teamID = options[teamID] else { throw .usage("needs --team-id with --key") }
        return (keyID, teamID)
    }

    private static func identity(_ path: String, password: String?) throws(CommandError) -> Identity {
        let bytes = try InputFile.read(path)
        do throws(CryptoError) {
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.contains("-----BEGIN ") else { return try Identity(pkcs12: bytes, password: password) }
            return try Identity(certificatesPEM: text, keyPEM: text, password: password)
        } catch {
            throw .usage("--certificate \(path): \(error.message)")
        }
    }
}
