import APNs
import APNsGateway
import Crypto
import FoundationEssentials
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite(.timeLimit(.minutes(5)))
struct GatewayIdentityTests {
    let temporary: TemporaryFolder
    let path: String
    static let now: Int64 = 1_800_000_000
    static let day: Int64 = 86_400

    init() throws {
        temporary = try TemporaryFolder()
        path = temporary.file("data")
    }

    private func load(
        hostNames: [String] = [], now: Int64 = GatewayIdentityTests.now
    ) throws -> GatewayIdentity {
        let identity = try GatewayIdentity(folder: DataFolder(path: path), hostNames: hostNames, now: now)
        identity.folder.release()
        return identity
    }

    private func mode(_ name: String) -> mode_t? {
        var information = stat()
        return stat(path + "/" + name, &information) == 0 ? information.st_mode & 0o777 : nil
    }

    private static func carry(_ from: TLSSession, _ to: TLSSession) throws {
        var bytes = [UInt8](repeating: 0, count: from.pendingOutputByteCount)
        let count = bytes.withUnsafeMutableBytes { from.takeOutput(into: $0) }
        try bytes.withUnsafeBytes { bytes in
            try to.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: path + "/" + name)), as: UTF8.self)
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
    }

    @Test func `the first start makes every file, and secrets belong to their owner alone`() throws {
        let identity = try load()
        let modes: [(String, mode_t)] = [
            ("ca.pem", 0o644), ("ca-key.pem", 0o600), ("server.pem", 0o644), ("server-key.pem", 0o600),
            ("AuthKey_B3LFRY0001.p8", 0o600), ("gateway.json", 0o600), ("gateway.lock", 0o600),
        ]
        for (name, expected) in modes { #expect(mode(name) == expected, "\(name)") }
        #expect(mode(".") == 0o700)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: path)) == Set(modes.map(\.0)))
        #expect(identity.settings.keyID == "B3LFRY0001" && identity.settings.teamID == "B3LFRYTEAM")
        #expect(identity.authorityPath == path + "/ca.pem")
        #expect(identity.signingKeyPath == path + "/AuthKey_B3LFRY0001.p8")
        #expect(try SigningKey(p8: text("AuthKey_B3LFRY0001.p8")).publicKey == identity.signingKey.publicKey)
    }

    @Test func `the second start uses what the first made`() throws {
        let first = try load()
        let second = try load(now: Self.now + 30 * Self.day)
        #expect(second.authority.certificate == first.authority.certificate)
        #expect(second.server.certificate == first.server.certificate)
        #expect(second.signingKey.publicKey == first.signingKey.publicKey)
    }

    @Test func `the server is known by localhost, its addresses, the machine's name and what is added`()
        throws
    {
        let names = Set(
            try load(hostNames: ["Gateway.test", "10.0.0.7", "localhost"]).server.certificate.hostNames)
        #expect(names.isSuperset(of: ["localhost", "127.0.0.1", "::1", "gateway.test", "10.0.0.7"]))
    }

    @Test(arguments: ["localhost", "127.0.0.1", "::1", "added.test"])
    func `a client that trusts the authority accepts the server by each name`(name: String) throws {
        let identity = try load(
            hostNames: ["added.test"], now: SystemGatewayClock().nowMilliseconds / 1_000)
        let client = try TLSSession(
            client: TLSContext.client(
                trust: .certificates([identity.authority.certificate]), identity: nil,
                applicationProtocols: ["h2"]),
            serverName: name)
        let server = try TLSSession(
            server: TLSContext.server(
                identity: identity.server, clientCertificates: .none, applicationProtocols: ["h2"]))
        var isDone = false
        for _ in 0..<10 where !isDone {
            for (from, to) in [(client, server), (server, client)] {
                if case .failed(let error) = from.handshake() { Issue.record(error) }
                try Self.carry(from, to)
            }
            if case .established = client.handshake(), case .established = server.handshake() {
                isDone = true
            }
        }
        #expect(isDone)
    }

    @Test(arguments: [(-1, false), (334, false), (336, true), (400, true)])
    func `the server certificate is renewed thirty days before its end`(days: Int64, isRenewed: Bool) throws {
        let first = try load()
        let second = try load(now: Self.now + days * Self.day)
        #expect((second.server.certificate != first.server.certificate) == isRenewed)
        #expect(second.authority.certificate == first.authority.certificate)
    }

    @Test func `other names renew the server certificate and the same names in another order do not`() throws
    {
        let first = try load(hostNames: ["a.test", "b.test"])
        #expect(try load(hostNames: ["b.test", "a.test"]).server.certificate == first.server.certificate)
        #expect(try load(hostNames: ["a.test"]).server.certificate != first.server.certificate)
    }

    @Test(arguments: ["server.pem", "server-key.pem"])
    func `a server file that is lost or damaged is made again`(name: String) throws {
        let first = try load()
        try FileManager.default.removeItem(atPath: path + "/" + name)
        let second = try load()
        #expect(second.server.certificate != first.server.certificate)
        try write("-----BEGIN nonsense", name)
        #expect(try load().server.certificate != second.server.certificate)
    }

    @Test func `another authority makes another server certificate`() throws {
        let first = try load()
        for name in ["ca.pem", "ca-key.pem"] { try FileManager.default.removeItem(atPath: path + "/" + name) }
        let second = try load()
        #expect(second.authority.certificate != first.authority.certificate)
        #expect(second.server.certificate.issuerCommonName == second.authority.certificate.subjectCommonName)
    }

    @Test func `a first start that was cut short after the key is completed`() throws {
        _ = try load()
        for name in ["ca.pem", "gateway.json"] {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        let key = try text("AuthKey_B3LFRY0001.p8")
        _ = try load()
        #expect(try text("AuthKey_B3LFRY0001.p8") == key)
        #expect(mode("gateway.json") == 0o600)
    }

    /// File, its new content (nil: removed), and what the error says.
    @Test(
        arguments: [
            ("ca-key.pem", nil, "ca-key.pem is missing"), ("ca.pem", "x", "ca.pem"),
            ("ca-key.pem", "x", "ca.pem"),
            ("AuthKey_B3LFRY0001.p8", "x", "AuthKey_B3LFRY0001.p8"), ("gateway.json", "{", "gateway.json"),
            ("gateway.json", "{\"colour\":1}", "found a field \"colour\""),
            ("gateway.json", "{\"key_id\":5}", "key_id: found a number"),
            ("gateway.json", "{\"keys\":[{}]}", "key_id: found nothing"),
        ] as [(String, String?, String)])
    func `a file that is wrong is named and left alone`(name: String, content: String?, error: String) throws
    {
        _ = try load()
        if let content {
            try write(content, name)
        } else {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        let thrown = #expect(throws: GatewayError.self) { try load() }
        #expect(thrown?.code == .identity)
        #expect(thrown?.message.contains(error) == true, "\(thrown?.message ?? "")")
        if let content { #expect(try text(name) == content) }
    }

    @Test func `an authority that has expired is named`() throws {
        _ = try load()
        let error = #expect(throws: GatewayError.self) { try load(now: Self.now + 3_651 * Self.day) }
        #expect(error?.message.contains("ca.pem has expired") == true)
    }

    @Test func `a folder belongs to one gateway at a time`() throws {
        let first = try DataFolder(path: path)
        let error = #expect(throws: GatewayError.self) { try DataFolder(path: path) }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains(path) == true)
        first.release()
        _ = try DataFolder(path: path)
    }

    @Test func `a path that is no folder is refused`() throws {
        try Data().write(to: URL(filePath: path))
        #expect(#expect(throws: GatewayError.self) { try DataFolder(path: path) }?.code == .storage)
        #expect(
            #expect(throws: GatewayError.self) { try DataFolder(path: "/proc/no/such") }?.code == .storage)
    }

    @Test func `settings are saved whole and read again`() throws {
        var identity = try load()
        let key = ProviderKeyRecord(
            keyID: "TESTKEY001", teamID: "TESTTEAM01", publicKey: try SigningKey.generate().publicKey,
            topics: [World.topic("a.b")], relatedKeyID: "TESTKEY002", environments: [.sandbox])
        try identity.update { settings in
            settings.ports = ["production": 2_197, "control": 8_079]
            settings.topics = [World.topic("c.d")]
            settings.keys = [key]
        }
        let again = try load()
        #expect(again.settings == identity.settings)
        #expect(again.keyRecords.map(\.keyID) == ["B3LFRY0001", "TESTKEY001"])
        #expect(again.keyRecords.first?.topics == [World.topic("c.d")])
    }

    @Test func `a key added to the keyring is known after a restart`() throws {
        let verifier = ProviderTokenVerifier()
        let keyring = GatewayKeyring(identity: try load(), verifier: verifier)
        #expect(verifier.keys.map(\.keyID) == ["B3LFRY0001"])
        let record = ProviderKeyRecord(
            keyID: "TESTKEY001", teamID: "TESTTEAM01", publicKey: try SigningKey.generate().publicKey)
        try keyring.add(record)
        #expect(verifier.keys.map(\.keyID) == ["B3LFRY0001", "TESTKEY001"])
        #expect(#expect(throws: GatewayError.self) { try keyring.add(record) }?.code == .conflict)
        #expect(try load().keyRecords.map(\.keyID) == ["B3LFRY0001", "TESTKEY001"])
    }

    @Test func `a client certificate is written as PEM and PKCS#12`() throws {
        let identity = try load()
        try identity.issueClient(
            bundleID: "a.b", topics: ["a.b", "a.b.voip"], isProduction: false, now: Self.now)
        #expect(mode("client.pem") == 0o600 && mode("client.p12") == 0o600)
        let pem = try text("client.pem")
        let fromPEM = try Identity(certificatesPEM: pem, keyPEM: pem)
        let file = [UInt8](try #require(FileManager.default.contents(atPath: identity.clientPKCS12Path)))
        let fromFile = try Identity(pkcs12: file, password: GatewayIdentity.clientPassword)
        #expect(fromPEM.certificate == fromFile.certificate)
        #expect(fromFile.privateKey.matches(fromPEM.certificate))
        #expect(throws: CryptoError.self) { try Identity(pkcs12: file, password: "wrong") }
        let apns = fromPEM.certificate.apns
        #expect(apns.isDevelopment && !apns.isProduction && apns.topics == ["a.b", "a.b.voip"])
    }
}
