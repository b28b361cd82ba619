public import APNs
public import APNsClient
internal import Crypto
public import PushStore
public import Recurrence
public import Transport

extension PushCredential {
    /// Reads a `.p8` provider key and signs with it once.
    ///
    /// - Parameters:
    ///   - p8: the file.
    ///   - keyID: the key's id, ten characters.
    ///   - teamID: the team's id, ten characters.
    ///   - environments: where it is used; a key may be made for one of them only.
    ///   - deviceProfile: LeanCloud's name, for installations that ask for it.
    ///   - now: when it is added.
    public init(
        p8: [UInt8], keyID: String, teamID: String, environments: Set<Environment>,
        deviceProfile: String? = nil, now: Instant
    ) throws(CredentialError) {
        let key: SigningKey
        do {
            key = try SigningKey(p8: p8)
            _ = try key.sign(Array("belfry".utf8))
            _ = try ProviderTokenSource(keyID: keyID, teamID: teamID, signingKey: key)
        } catch let error as CryptoError {
            throw CredentialError(error.message)
        } catch let error as APNsClientError {
            throw CredentialError(error.message)
        } catch {
            throw CredentialError("\(error)")
        }
        self.init(
            secret: .key(p8: key.p8, keyID: keyID, teamID: teamID), environments: environments,
            teamID: teamID,
            deviceProfile: deviceProfile, createdAt: now)
    }

    /// Reads a certificate with its private key, as PKCS#12 or PEM.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - password: of the file, if it has one.
    ///   - environments: where it is used; nil for all its extensions allow.
    ///   - deviceProfile: LeanCloud's name, for installations that ask for it.
    ///   - now: when it is added.
    public init(
        certificateFile file: [UInt8], password: String?, environments: Set<Environment>?,
        deviceProfile: String? = nil, now: Instant
    ) throws(CredentialError) {
        let identity: Identity
        do throws(CryptoError) {
            let text = String(decoding: file, as: UTF8.self)
            identity =
                text.contains("-----BEGIN ")
                ? try Identity(certificatesPEM: text, keyPEM: text, password: password)
                : try Identity(pkcs12: file, password: password)
        } catch {
            throw CredentialError(error.message)
        }
        let information = identity.certificate.apns
        guard information.isAPNsCertificate else {
            throw CredentialError(
                "the certificate \(identity.certificate) is not one of Apple's push services: it lacks their "
                    + "extensions")
        }
        let expiresAt = Instant(secondsSince1970: identity.certificate.notAfter)
        guard expiresAt > now else {
            throw CredentialError("the certificate ended at \(expiresAt.iso8601)")
        }
        var allowed: Set<Environment> = []
        if information.isProduction || information.hasTopicList { allowed.insert(.production) }
        if information.isDevelopment || information.hasTopicList { allowed.insert(.sandbox) }
        guard let environments = environments ?? Optional(allowed), environments.isSubset(of: allowed) else {
            let names = allowed.map(\.rawValue).sorted().joined(separator: " and ")
            throw CredentialError("the certificate is for \(names) only")
        }
        self.init(
            secret: .certificate(pem: identity.certificatesPEM + identity.privateKey.pem),
            environments: environments, deviceProfile: deviceProfile, topics: information.topics,
            expiresAt: expiresAt, createdAt: now)
    }

    /// The credential as the client for APNs takes it.
    ///
    /// A key's source renews its token for all clients it is given to: make one for each stored credential.
    public func clientCredential(clock: WallClock = .system) throws(CredentialError) -> Credential {
        do {
            switch secret {
            case .key(let p8, let keyID, let teamID):
                let key = try SigningKey(p8: p8)
                return .token(
                    try ProviderTokenSource(keyID: keyID, teamID: teamID, signingKey: key, clock: clock))
            case .certificate(let pem):
                return .certificate(try Identity(certificatesPEM: pem, keyPEM: pem))
            }
        } catch let error as CryptoError {
            throw CredentialError(error.message)
        } catch let error as APNsClientError {
            throw CredentialError(error.message)
        } catch {
            throw CredentialError("\(error)")
        }
    }
}
