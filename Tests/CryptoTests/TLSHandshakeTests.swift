import Crypto
import Testing

struct TLSHandshakeTests {
    let fixtures: TLSFixtures

    init() throws {
        fixtures = try TLSFixtures.get()
    }

    @Test(arguments: [
        "localhost", "127.0.0.1", "::1", "[::1]", "0:0:0:0:0:0:0:1", "a.example.com", "LOCALHOST",
        "localhost.",
    ])
    func `a certificate for the name is accepted`(serverName: String) throws {
        let link = try TLSLink(fixtures, serverName: serverName)
        let progress = try link.handshake()
        #expect(progress.client.error == nil)
        #expect(progress.client.isEstablished && progress.server.isEstablished)
        #expect(link.client.negotiatedApplicationProtocol == "h2")
        #expect(link.server.negotiatedApplicationProtocol == "h2")
        #expect(link.client.negotiatedVersion == "TLSv1.3")
        #expect(link.client.negotiatedCipher == "TLS_AES_128_GCM_SHA256")
        #expect(link.client.peerCertificate == fixtures.server.certificate)
        #expect(link.server.peerCertificate == nil)
    }

    @Test(arguments: [
        ("api.push.apple.com", "localhost, 127.0.0.1, ::1, *.example.com"),
        ("127.0.0.2", "localhost"), ("::2", "localhost"), ("example.com", "*.example.com"),
        ("a.b.example.com", "*.example.com"),
    ])
    func `a certificate for another name is refused`(serverName: String, names: String) throws {
        let link = try TLSLink(fixtures, serverName: serverName)
        let progress = try link.handshake()
        let error = try #require(progress.client.error)
        #expect(error.code == .hostnameMismatch)
        #expect(error.message.contains(names))
        #expect(error.message.hasSuffix("not \(serverName)"))
        #expect(progress.server.error?.code == .peerAlert)
    }

    @Test func `a certificate of an unknown authority is refused`() throws {
        let stranger = try fixtures.otherAuthority.issueServerIdentity(
            hostNames: ["localhost"], validity: TLSFixtures.validity)
        let progress = try TLSLink(fixtures, serverIdentity: stranger).handshake()
        let error = try #require(progress.client.error)
        #expect(error.code == .untrustedCertificate)
        #expect(error.message.contains("\"Other CA\""))
        #expect(error.message.contains("give its CA file"))
    }

    @Test func `a chain that ends in an untrusted root is refused`() throws {
        let stranger = try fixtures.otherAuthority.issueServerIdentity(
            hostNames: ["localhost"], validity: TLSFixtures.validity)
        let chain = try Identity(
            certificates: [fixtures.otherAuthority.certificate, stranger.certificate],
            privateKey: stranger.privateKey)
        let progress = try TLSLink(fixtures, serverIdentity: chain).handshake()
        let error = try #require(progress.client.error)
        #expect(error.code == .untrustedCertificate)
        #expect(
            error.message
                == "self-signed certificate \"Other CA\" in the chain, not trusted: give its CA file")
    }

    @Test func `an expired certificate is refused with its last day`() throws {
        let old = try fixtures.authority.issueServerIdentity(
            hostNames: ["localhost"],
            validity: CertificateValidity(notBefore: 1_600_000_000, notAfter: 1_709_164_799))
        let progress = try TLSLink(fixtures, serverIdentity: old).handshake()
        let error = try #require(progress.client.error)
        #expect(error.code == .certificateExpired)
        #expect(error.message == "the certificate \"localhost\" expired on 2024-02-28")
    }

    @Test func `a certificate of the future is refused with its first day`() throws {
        let early = try fixtures.authority.issueServerIdentity(
            hostNames: ["localhost"],
            validity: CertificateValidity(notBefore: 4_102_444_800, notAfter: 4_102_444_900))
        let progress = try TLSLink(fixtures, serverIdentity: early).handshake()
        let error = try #require(progress.client.error)
        #expect(error.code == .certificateExpired)
        #expect(error.message.contains("valid only from 2100-01-01"))
    }

    @Test func `the system's certificates do not vouch for a private authority`() throws {
        let progress = try TLSLink(fixtures, trust: .system).handshake()
        #expect(progress.client.error?.code == .untrustedCertificate)
    }

    @Test func `a private authority can be trusted beside the system's`() throws {
        let link = try TLSLink(fixtures, trust: .systemAnd([fixtures.authority.certificate]))
        #expect(try link.handshake().client.isEstablished)
    }

    @Test func `a server's own certificate can be trusted without its authority`() throws {
        let link = try TLSLink(fixtures, trust: .certificates([fixtures.server.certificate]))
        #expect(try link.handshake().client.isEstablished)
    }

    @Test func `an authority cannot be trusted for nothing`() throws {
        let progress = try TLSLink(fixtures, trust: .certificates([])).handshake()
        #expect(progress.client.error?.code == .untrustedCertificate)
    }

    @Test(arguments: [
        (["h2"], ["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], ["h2", "http/1.1"], "h2"),
        (["http/1.1"], ["h2", "http/1.1"], "http/1.1"), ([], ["h2"], nil), (["h2"], [], nil),
    ])
    func `the server chooses the protocol by its own order`(
        offered: [String], accepted: [String], chosen: String?
    ) throws {
        let link = try TLSLink(fixtures, clientProtocols: offered, serverProtocols: accepted)
        let progress = try link.handshake()
        #expect(progress.client.isEstablished && progress.server.isEstablished)
        #expect(link.client.negotiatedApplicationProtocol == chosen)
        #expect(link.server.negotiatedApplicationProtocol == chosen)
    }

    @Test func `no protocol in common ends the handshake on both sides`() throws {
        let link = try TLSLink(fixtures, clientProtocols: ["http/1.1", "h3"], serverProtocols: ["h2"])
        let progress = try link.handshake()
        #expect(progress.server.error?.code == .noApplicationProtocol)
        #expect(progress.client.error?.code == .noApplicationProtocol)
    }

    @Test(arguments: ["", String(repeating: "x", count: 256)])
    func `a protocol name of a wrong length is refused`(name: String) throws {
        #expect(throws: CryptoError.self) {
            try TLSContext.client(trust: .system, identity: nil, applicationProtocols: ["h2", name])
        }
    }

    @Test func `TLS 1_1 is refused on both sides`() throws {
        let link = try TLSLink(fixtures)
        link.client.context.limitVersion(to: 0x0302)
        let old = try TLSSession(client: link.client.context, serverName: "localhost")
        let progress = try TLSLink(client: old, server: link.server).handshake()
        #expect(progress.server.error?.code == .unsupportedVersion)
        #expect(progress.client.error?.code == .unsupportedVersion)

        let other = try TLSLink(fixtures)
        other.server.context.limitVersion(to: 0x0302)
        let oldServer = try TLSSession(server: other.server.context)
        let reply = try TLSLink(client: other.client, server: oldServer).handshake()
        #expect(reply.client.error?.code == .unsupportedVersion)
        #expect(reply.server.error?.code == .unsupportedVersion)
    }

    @Test func `TLS 1_2 is accepted`() throws {
        let link = try TLSLink(fixtures)
        link.client.context.limitVersion(to: 0x0303)
        let old = try TLSSession(client: link.client.context, serverName: "localhost")
        let progress = try TLSLink(client: old, server: link.server).handshake()
        #expect(progress.client.isEstablished && progress.server.isEstablished)
        #expect(old.negotiatedVersion == "TLSv1.2")
        #expect(old.negotiatedCipher == "ECDHE-ECDSA-AES128-GCM-SHA256")
    }

    @Test func `a client certificate is shown when asked for`() throws {
        let link = try TLSLink(
            fixtures, identity: fixtures.client,
            clientCertificates: .requested(issuedBy: [fixtures.authority.certificate]))
        let progress = try link.handshake()
        #expect(progress.client.isEstablished && progress.server.isEstablished)
        #expect(link.server.peerCertificate == fixtures.client.certificate)
        #expect(link.server.peerCertificateError == nil)
    }

    @Test func `a client without a certificate is let in`() throws {
        let link = try TLSLink(
            fixtures, clientCertificates: .requested(issuedBy: [fixtures.authority.certificate]))
        let progress = try link.handshake()
        #expect(progress.client.isEstablished && progress.server.isEstablished)
        #expect(link.server.peerCertificate == nil)
        #expect(link.server.peerCertificateError == nil)
    }

    @Test func `an untrusted client certificate is let in and reported`() throws {
        let stranger = try fixtures.otherAuthority.issueClientIdentity(
            commonName: "a stranger", validity: TLSFixtures.validity)
        let link = try TLSLink(
            fixtures, identity: stranger,
            clientCertificates: .requested(issuedBy: [fixtures.authority.certificate]))
        let progress = try link.handshake()
        #expect(progress.client.isEstablished && progress.server.isEstablished)
        #expect(link.server.peerCertificate == stranger.certificate)
        #expect(
            link.server.peerCertificateError
                == "the certificate \"a stranger\" was issued by \"Other CA\", which is not trusted: give its CA file"
        )
    }

    @Test func `an expired client certificate is let in and reported`() throws {
        let old = try fixtures.authority.issueClientIdentity(
            commonName: "an old client",
            validity: CertificateValidity(notBefore: 1_600_000_000, notAfter: 1_709_164_799))
        let link = try TLSLink(
            fixtures, identity: old,
            clientCertificates: .requested(issuedBy: [fixtures.authority.certificate]))
        #expect(try link.handshake().server.isEstablished)
        #expect(link.server.peerCertificate == old.certificate)
        #expect(
            link.server.peerCertificateError == "the certificate \"an old client\" expired on 2024-02-28")
    }

    @Test func `a client certificate is not shown unasked`() throws {
        let link = try TLSLink(fixtures, identity: fixtures.client)
        #expect(try link.handshake().server.isEstablished)
        #expect(link.server.peerCertificate == nil)
    }

    @Test func `bytes may arrive one at a time`() throws {
        let link = try TLSLink(
            fixtures, identity: fixtures.client,
            clientCertificates: .requested(issuedBy: [fixtures.authority.certificate]))
        link.chunkByteCount = 1
        let progress = try link.handshake()
        #expect(progress.client.isEstablished && progress.server.isEstablished)
        #expect(link.server.peerCertificate == fixtures.client.certificate)
    }

    @Test(arguments: [
        "", "a..b", "-----", "exa mple.com", "b\u{fc}cher.example", "a/b", "user@host", "host:443",
        "*.example.com",
        String(repeating: "a", count: 64) + ".com", String(repeating: "abc.", count: 64) + "com", "a\0b",
    ])
    func `a server name that is none is refused`(name: String) throws {
        let context = try TLSContext.client(trust: .system, identity: nil, applicationProtocols: [])
        let error = #expect(throws: CryptoError.self) { try TLSSession(client: context, serverName: name) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: [("localhost", true), ("127.0.0.1", false), ("::1", false)])
    func `the host name is announced, an address is not`(serverName: String, isAnnounced: Bool) throws {
        let link = try TLSLink(fixtures, serverName: serverName)
        _ = link.client.handshake()
        let hello = link.client.output()
        #expect((hello.firstRange(of: Array(serverName.utf8)) != nil) == isAnnounced)
    }

    @Test func `control characters of a certificate stay out of messages`() throws {
        let hostile = try fixtures.otherAuthority.issueClientIdentity(
            commonName: "evil\u{1b}[2J\n\u{202e}name", validity: TLSFixtures.validity)
        let link = try TLSLink(
            fixtures, identity: hostile,
            clientCertificates: .requested(issuedBy: [fixtures.authority.certificate]))
        #expect(try link.handshake().server.isEstablished)
        let message = try #require(link.server.peerCertificateError)
        #expect(message.hasPrefix("the certificate \"evil?[2J??name\" was issued by"))
        #expect(hostile.certificate.subjectCommonName == "evil\u{1b}[2J\n\u{202e}name")
    }

    @Test func `a key too small for TLS is refused when the context is made`() throws {
        let pem = try Shell.text("openssl req -x509 -newkey rsa:1024 -nodes -subj /CN=small -keyout -")
        let identity = try Identity(certificatesPEM: pem, keyPEM: pem)
        let error = #expect(throws: CryptoError.self) {
            try TLSContext.server(
                identity: identity, clientCertificates: .none, applicationProtocols: ["h2"])
        }
        #expect(error?.code == .invalidCertificate)
        #expect(error?.message.contains("\"small\": ee key too small") == true)
    }

    @Test func `many names are cut short in the message`() throws {
        let server = try fixtures.authority.issueServerIdentity(
            hostNames: (1...9).map { "host\($0)" }, validity: TLSFixtures.validity)
        let error = try TLSLink(fixtures, serverIdentity: server).handshake().client.error
        #expect(
            error?.message == "the certificate is for host1, host2, host3, host4 and 5 more, not localhost")
    }

    @Test func `a chain over an intermediate is accepted`() throws {
        let directory = try TemporaryDirectory()
        try directory.write(fixtures.authority.certificate.pem, to: "ca.pem")
        try directory.write(fixtures.authority.privateKey.pem, to: "ca-key.pem")
        let ec = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        _ = try Shell.run(
            """
            openssl req -new \(ec) -subj /CN=middle -keyout middle-key.pem -out middle.csr
            openssl x509 -req -in middle.csr -CA ca.pem -CAkey ca-key.pem -extfile <(echo basicConstraints=CA:TRUE) \
                -out middle.pem
            openssl req -new \(ec) -subj /CN=leaf -keyout leaf-key.pem -out leaf.csr
            openssl x509 -req -in leaf.csr -CA middle.pem -CAkey middle-key.pem \
                -extfile <(echo subjectAltName=DNS:localhost) -out leaf.pem
            cat middle.pem ca.pem leaf.pem leaf-key.pem > all.pem
            """, in: directory.url)
        let pem = String(decoding: try directory.read("all.pem"), as: UTF8.self)
        let identity = try Identity(certificatesPEM: pem, keyPEM: pem)
        #expect(identity.certificate.subjectCommonName == "leaf")
        #expect(identity.intermediates.map(\.subjectCommonName) == ["middle", "Test CA"])
        let link = try TLSLink(fixtures, serverIdentity: identity)
        #expect(try link.handshake().client.error == nil)
        #expect(link.client.peerCertificate == identity.certificate)

        let bare = try Identity(certificates: [identity.certificate], privateKey: identity.privateKey)
        let error = try TLSLink(fixtures, serverIdentity: bare).handshake().client.error
        #expect(error?.code == .untrustedCertificate)
        #expect(error?.message.contains("\"middle\"") == true)
    }

    @Test func `sessions outlive their context`() throws {
        var link: TLSLink? = try TLSLink(fixtures)
        weak let context = link?.server.context
        let progress = try link?.handshake()
        #expect(progress?.server.isEstablished == true)
        #expect(link?.server.negotiatedApplicationProtocol == "h2")
        #expect(context != nil)
        link = nil
        #expect(context == nil)
    }
}
