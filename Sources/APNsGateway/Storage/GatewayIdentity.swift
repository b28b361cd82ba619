package import Crypto

/// Who the gateway is: its certificate authority, its server certificate and its signing key, as files.
///
/// Made at the first start and used again later. The server certificate is issued anew when it nears its end or when
/// the gateway gets other names; the authority, which clients trust, stays for ten years. A key is written before the
/// certificate that needs it, so that a start that was cut short is completed by the next one.
package struct GatewayIdentity: Sendable {
    /// The folder.
    package let folder: DataFolder
    /// The authority that clients have to trust.
    package let authority: CertificateAuthority
    /// The server's certificate and key.
    package let server: Identity
    /// The key providers sign their tokens with.
    package let signingKey: SigningKey
    /// The content of `gateway.json`.
    package private(set) var settings: GatewaySettings

    /// Reads the files of a folder and makes those that are missing; blocks on the disk.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - hostNames: Names and addresses of the server beside localhost and the machine's own name.
    ///   - now: The time, in seconds since 1970.
    /// - Throws: `identity` for files that do not fit each other or cannot be read, `storage` for the disk.
    package init(folder: DataFolder, hostNames: [String] = [], now: Int64) throws(GatewayError) {
        self.folder = folder
        authority = try IdentityFiles.loadAuthority(folder, now: now)
        server = try IdentityFiles.loadServer(
            folder, authority, IdentityFiles.serverNames(hostNames), now: now)
        let text = try folder.read(GatewaySettings.fileName)
        do throws(GatewayError) {
            settings =
                try text.map { text throws(GatewayError) in try GatewaySettings(json: text) }
                ?? GatewaySettings()
        } catch {
            throw GatewayError(
                code: .identity, message: "\(folder.file(GatewaySettings.fileName)): \(error.message)",
                field: error.field)
        }
        signingKey = try IdentityFiles.loadSigningKey(folder, keyID: settings.keyID)
        if text == nil { try save() }
    }

    /// The path of `ca.pem`.
    package var authorityPath: String { folder.file(IdentityFiles.authority) }
    /// The path of `AuthKey_<keyid>.p8`.
    package var signingKeyPath: String { folder.file(IdentityFiles.signingKey(settings.keyID)) }

    /// Every key whose tokens are accepted.
    package var keyRecords: [ProviderKeyRecord] {
        let own = ProviderKeyRecord(
            keyID: settings.keyID, teamID: settings.teamID, publicKey: signingKey.publicKey,
            topics: settings.topics)
        return [own] + settings.keys
    }

    /// Changes `gateway.json`.
    package mutating func update(_ change: (inout GatewaySettings) -> Void) throws(GatewayError) {
        let old = settings
        change(&settings)
        guard settings != old else { return }
        do throws(GatewayError) {
            try save()
        } catch {
            settings = old
            throw error
        }
    }

    /// Issues a client certificate of an app and writes it as `client.pem` and `client.p12`.
    ///
    /// The PEM file holds certificate and key; the PKCS#12 file is encrypted with ``clientPassword``. Both belong to
    /// their owner alone. Blocks on the disk.
    ///
    /// - Parameters:
    ///   - bundleID: The app.
    ///   - topics: The list of topics of a certificate of many topics; nil for one of the bundle id alone.
    ///   - isProduction: Whether production takes it; the sandbox always does.
    ///   - now: The time, in seconds since 1970.
    @discardableResult
    package func issueClient(
        bundleID: String, topics: [String]? = nil, isProduction: Bool = true, now: Int64
    ) throws(GatewayError) -> Identity {
        let (identity, file) = try IdentityFiles.crypto(IdentityFiles.client) { () throws(CryptoError) in
            let identity = try authority.issueAPNsIdentity(
                bundleID: bundleID, isDevelopment: true, isProduction: isProduction, topics: topics,
                validity: IdentityFiles.validity(days: IdentityFiles.leafDays, now: now))
            return (
                identity,
                try identity.pkcs12(password: GatewayIdentity.clientPassword, friendlyName: bundleID)
            )
        }
        let text = identity.certificatesPEM + identity.privateKey.pem
        try folder.write(Array(text.utf8), to: IdentityFiles.client, mode: DataFolder.secretMode)
        try folder.write(file, to: IdentityFiles.clientPKCS12, mode: DataFolder.secretMode)
        return identity
    }

    /// The password of `client.p12`, which guards a certificate that only this gateway accepts.
    package static let clientPassword = "belfry"

    /// The path of `client.pem`.
    package var clientPath: String { folder.file(IdentityFiles.client) }
    /// The path of `client.p12`.
    package var clientPKCS12Path: String { folder.file(IdentityFiles.clientPKCS12) }

    private func save() throws(GatewayError) {
        try folder.write(
            ControlJSON.encode(settings.json) + [0x0a], to: GatewaySettings.fileName,
            mode: DataFolder.secretMode)
    }
}
