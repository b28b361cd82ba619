internal import Crypto

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Reads the identity's files, or makes them.
enum IdentityFiles {
    static let authority = "ca.pem"
    static let authorityKey = "ca-key.pem"
    static let server = "server.pem"
    static let serverKey = "server-key.pem"
    static let client = "client.pem"
    static let clientPKCS12 = "client.p12"

    static func signingKey(_ keyID: String) -> String { "AuthKey_\(keyID).p8" }

    static let authorityDays = 3_650
    static let leafDays = 365
    private static let renewalDays: Int64 = 30
    private static let daySeconds: Int64 = 86_400

    /// Certificates are valid from a day ago: clocks differ.
    static func validity(days: Int, now: Int64) -> CertificateValidity {
        CertificateValidity(notBefore: now - daySeconds, notAfter: now + Int64(days) * daySeconds)
    }

    /// Runs something of `Crypto` and names the file in its error.
    static func crypto<Success>(
        _ file: String, _ body: () throws(CryptoError) -> Success
    ) throws(GatewayError) -> Success {
        do {
            return try body()
        } catch {
            throw GatewayError(code: .identity, message: "\(file): \(error.message)")
        }
    }

    /// localhost, its addresses, the machine's name, and what the caller adds.
    static func serverNames(_ extra: [String]) -> [String] {
        var names = ["localhost", "127.0.0.1", "::1"]
        for name in [machineName()].compactMap(\.self) + extra where !names.contains(name.lowercased()) {
            names.append(name.lowercased())
        }
        return names
    }

    private static func machineName() -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Machine names are freer than DNS names; one that cannot stand in a certificate is left out.
        let isUsable = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e: true
            default: false
            }
        }
        return name.isEmpty || !isUsable || name.hasPrefix("-") ? nil : name
    }

    static func loadAuthority(_ folder: DataFolder, now: Int64) throws(GatewayError) -> CertificateAuthority {
        guard let certificate = try folder.read(authority) else { return try makeAuthority(folder, now: now) }
        guard let key = try folder.read(authorityKey) else {
            throw GatewayError(
                code: .identity,
                message:
                    "\(folder.file(authorityKey)) is missing: bring it back, or remove \(authority) too, "
                    + "and clients must trust a new one")
        }
        let loaded = try crypto(folder.file(authority)) { () throws(CryptoError) in
            try CertificateAuthority(
                certificate: Certificate(pem: String(decoding: certificate, as: UTF8.self)),
                privateKey: PrivateKey(pem: String(decoding: key, as: UTF8.self)))
        }
        guard loaded.certificate.notAfter > now else {
            throw GatewayError(
                code: .identity,
                message: "\(folder.file(authority)) has expired: remove it, and clients must trust a new one")
        }
        return loaded
    }

    private static func makeAuthority(
        _ folder: DataFolder, now: Int64
    ) throws(GatewayError) -> CertificateAuthority {
        // A name of its own tells the certificates of two authorities apart.
        let mark = RandomBytes.make(count: 4).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
            .joined()
        let made = try crypto(authority) { () throws(CryptoError) in
            try CertificateAuthority(
                commonName: "Belfry Gateway CA \(mark)", validity: validity(days: authorityDays, now: now))
        }
        try folder.write(Array(made.privateKey.pem.utf8), to: authorityKey, mode: DataFolder.secretMode)
        try folder.write(Array(made.certificate.pem.utf8), to: authority, mode: DataFolder.publicMode)
        return made
    }

    static func loadServer(
        _ folder: DataFolder, _ authority: CertificateAuthority, _ names: [String], now: Int64
    ) throws(GatewayError) -> Identity {
        if let certificate = try folder.read(server), let key = try folder.read(serverKey),
            let identity = try? Identity(
                certificatesPEM: String(decoding: certificate, as: UTF8.self),
                keyPEM: String(decoding: key, as: UTF8.self)),
            isUsable(identity.certificate, authority, names, now: now)
        {
            return identity
        }
        let daysLeft = Int((authority.certificate.notAfter - now) / daySeconds)
        let identity = try crypto(server) { () throws(CryptoError) in
            try authority.issueServerIdentity(
                hostNames: names, validity: validity(days: max(1, min(leafDays, daysLeft)), now: now))
        }
        try folder.write(Array(identity.privateKey.pem.utf8), to: serverKey, mode: DataFolder.secretMode)
        try folder.write(Array(identity.certificatesPEM.utf8), to: server, mode: DataFolder.publicMode)
        return identity
    }

    private static func isUsable(
        _ certificate: Certificate, _ authority: CertificateAuthority, _ names: [String], now: Int64
    ) -> Bool {
        certificate.notBefore <= now && certificate.notAfter > now + renewalDays * daySeconds
            && Set(certificate.hostNames) == Set(names)
            && certificate.issuerCommonName == authority.certificate.subjectCommonName
    }

    static func loadSigningKey(_ folder: DataFolder, keyID: String) throws(GatewayError) -> SigningKey {
        let name = signingKey(keyID)
        if let text = try folder.read(name) {
            return try crypto(folder.file(name)) { () throws(CryptoError) in try SigningKey(p8: text) }
        }
        let key = try crypto(name) { () throws(CryptoError) in try SigningKey.generate() }
        try folder.write(Array(key.p8.utf8), to: name, mode: DataFolder.secretMode)
        return key
    }
}
