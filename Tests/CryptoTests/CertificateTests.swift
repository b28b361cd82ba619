import Crypto
import Testing

struct CertificateTests {
    let fixtures: TLSFixtures

    init() throws {
        fixtures = try TLSFixtures.get()
    }

    @Test func `fields are read`() throws {
        let validity = CertificateValidity(notBefore: 1_600_000_000, notAfter: 4_102_444_799)
        let identity = try fixtures.authority.issueServerIdentity(
            hostNames: ["push.example.com", "::1", "10.0.0.1"], validity: validity)
        let certificate = identity.certificate
        #expect(certificate.subjectCommonName == "push.example.com")
        #expect(certificate.subjectUserID == nil)
        #expect(certificate.issuerCommonName == "Test CA")
        #expect(certificate.notBefore == 1_600_000_000)
        #expect(certificate.notAfter == 4_102_444_799)
        #expect(certificate.hostNames == ["push.example.com", "::1", "10.0.0.1"])
        #expect(!certificate.isSelfSigned)
        #expect(fixtures.authority.certificate.isSelfSigned)
        #expect(certificate.sha256Fingerprint.count == 32)
        #expect(try Certificate(pem: certificate.pem) == certificate)
        #expect(try Certificate(der: certificate.der) == certificate)
        #expect(!certificate.apns.isAPNsCertificate)
    }

    @Test func `openssl reads the same and verifies the chain`() throws {
        let directory = try TemporaryDirectory()
        try directory.write(fixtures.authority.certificate.pem, to: "ca.pem")
        try directory.write(fixtures.server.certificate.pem, to: "server.pem")
        try directory.write(fixtures.client.certificate.pem, to: "client.pem")
        let verdict = try Shell.text(
            """
            openssl verify -x509_strict -purpose sslserver -CAfile ca.pem server.pem
            openssl verify -x509_strict -purpose sslclient -CAfile ca.pem client.pem
            """, in: directory.url)
        #expect(verdict == "server.pem: OK\nclient.pem: OK\n")
        let fingerprint = try Shell.text(
            "openssl x509 -in server.pem -noout -fingerprint -sha256 | cut -d= -f2 | tr -d :",
            in: directory.url)
        let ours = fixtures.server.certificate.sha256Fingerprint.map { byte in
            String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
        }
        #expect(fingerprint == ours.joined() + "\n")
    }

    @Test(
        arguments: [
            (true, true, ["com.example.app", "com.example.app.voip", "com.example.app.complication"]),
            (true, false, nil), (false, true, ["com.example.app"]), (false, false, nil), (true, true, []),
        ] as [(Bool, Bool, [String]?)])
    func `an APNs certificate says what it may do`(
        isDevelopment: Bool, isProduction: Bool, topics: [String]?
    ) throws {
        let identity = try fixtures.authority.issueAPNsIdentity(
            bundleID: "com.example.app", isDevelopment: isDevelopment, isProduction: isProduction,
            topics: topics, validity: TLSFixtures.validity)
        let info = identity.certificate.apns
        #expect(info.isDevelopment == isDevelopment)
        #expect(info.isProduction == isProduction)
        #expect(info.bundleID == "com.example.app")
        #expect(info.topics == (topics.map { $0.isEmpty ? ["com.example.app"] : $0 } ?? ["com.example.app"]))
        #expect(info.hasTopicList == (topics != nil))
        #expect(info.isAPNsCertificate == (isDevelopment || isProduction || topics != nil))
        #expect(identity.certificate.subjectUserID == "com.example.app")
    }

    @Test func `openssl sees Apple's extensions as Apple writes them`() throws {
        let identity = try fixtures.authority.issueAPNsIdentity(
            bundleID: "com.example", isDevelopment: true, isProduction: true,
            topics: ["com.example", "com.example.voip"], validity: TLSFixtures.validity)
        let directory = try TemporaryDirectory()
        try directory.write(identity.certificate.pem, to: "client.pem")
        let dump = try Shell.text(
            """
            openssl x509 -in client.pem -noout -subject
            openssl x509 -in client.pem -outform DER | openssl asn1parse -inform DER | grep -A1 1.2.840.113635
            """, in: directory.url)
        #expect(dump.contains("subject=UID = com.example, CN = Apple Push Services: com.example"))
        #expect(dump.contains("1.2.840.113635.100.6.3.1"))
        #expect(dump.contains("[HEX DUMP]:0500"))
        #expect(
            dump.contains(
                "[HEX DUMP]:302E0C0B636F6D2E6578616D706C6530050C036170700C10636F6D2E6578616D706C652E766F697030060C04766F6970"
            ))
    }

    @Test func `a topic extension in other forms is read as far as it goes`() throws {
        let directory = try TemporaryDirectory()
        func topics(
            _ extensions: String, subject: String = "/CN=Apple Push Services: com.example.old"
        ) throws
            -> APNsCertificateInfo
        {
            let command = """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null \
                -subj '\(subject)' \(extensions)
                """
            return try Certificate(pem: Shell.text(command, in: directory.url)).apns
        }
        #expect(try topics("").topics == ["com.example.old"])
        #expect(try topics("", subject: "/CN=someone: else").topics.isEmpty)
        #expect(try topics("-addext 1.2.840.113635.100.6.3.4=ASN1:UTF8:com.a.voip").topics == ["com.a.voip"])
        for broken in [
            "DER:30:05:0C:01", "DER:04:00", "DER:30:00", "DER:30:84:7F:FF:FF:FF", "DER:0C:02:FF:FE",
        ] {
            let info = try topics("-addext 1.2.840.113635.100.6.3.6=\(broken)")
            #expect(info.topics == ["com.example.old"])
            #expect(info.hasTopicList)
        }
    }

    @Test func `a certificate cut or damaged anywhere never crashes`() throws {
        let identity = try fixtures.authority.issueAPNsIdentity(
            bundleID: "com.example.app", isDevelopment: true, isProduction: true, topics: ["com.example.app"],
            validity: TLSFixtures.validity)
        let der = identity.certificate.der
        for index in der.indices {
            #expect(throws: CryptoError.self) { try Certificate(der: Array(der[..<index])) }
            for mask: UInt8 in [1, 0x80, 0xff] {
                var damaged = der
                damaged[index] ^= mask
                guard let certificate = try? Certificate(der: damaged) else { continue }
                _ = (certificate.apns, certificate.hostNames, certificate.notAfter, certificate.description)
            }
        }
        #expect(throws: CryptoError.self) { try Certificate(der: der + [0]) }
    }

    @Test func `an authority goes on from its files`() throws {
        let copy = try CertificateAuthority(
            certificate: Certificate(pem: fixtures.authority.certificate.pem),
            privateKey: PrivateKey(pem: fixtures.authority.privateKey.pem))
        let server = try copy.issueServerIdentity(hostNames: ["localhost"], validity: TLSFixtures.validity)
        #expect(try TLSLink(fixtures, serverIdentity: server).handshake().client.isEstablished)

        let mismatch = #expect(throws: CryptoError.self) {
            try CertificateAuthority(
                certificate: fixtures.authority.certificate, privateKey: fixtures.otherAuthority.privateKey)
        }
        #expect(mismatch?.code == .keyMismatch)
        let leaf = #expect(throws: CryptoError.self) {
            try CertificateAuthority(
                certificate: fixtures.server.certificate, privateKey: fixtures.server.privateKey)
        }
        #expect(leaf?.code == .invalidCertificate)
    }

    @Test func `serial numbers differ`() throws {
        let first = try fixtures.authority.issueClientIdentity(
            commonName: "a", validity: TLSFixtures.validity)
        let second = try fixtures.authority.issueClientIdentity(
            commonName: "a", validity: TLSFixtures.validity)
        #expect(first.certificate != second.certificate)
    }

    @Test(arguments: [
        [], [""], ["a b"], ["*"], ["*.*.example.com"], ["http://localhost"], ["a,DNS:evil.example"],
    ])
    func `a server certificate for no host is refused`(hostNames: [String]) throws {
        let error = #expect(throws: CryptoError.self) {
            try fixtures.authority.issueServerIdentity(hostNames: hostNames, validity: TLSFixtures.validity)
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: [
        ("", TLSFixtures.validity), (String(repeating: "x", count: 65), TLSFixtures.validity),
        ("a", CertificateValidity(notBefore: 2, notAfter: 1)),
    ])
    func `an unusable name or period is refused`(name: String, validity: CertificateValidity) throws {
        let error = #expect(throws: CryptoError.self) {
            try CertificateAuthority(commonName: name, validity: validity)
        }
        #expect(error?.code == .invalidArgument)
    }
}
