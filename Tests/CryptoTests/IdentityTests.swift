import Crypto
import Testing

struct IdentityTests {
    let fixtures: TLSFixtures

    init() throws {
        fixtures = try TLSFixtures.get()
    }

    @Test func `certificate and key come from two texts or from one`() throws {
        let server = fixtures.server
        let two = try Identity(certificatesPEM: server.certificatesPEM, keyPEM: server.privateKey.pem)
        #expect(two.certificate == server.certificate)
        let both = "Bag Attributes\n" + server.privateKey.pem + "\nsubject=CN\n" + server.certificatesPEM
        let one = try Identity(certificatesPEM: both, keyPEM: both)
        #expect(one.certificate == server.certificate)
        #expect(one.privateKey.matches(server.certificate))
    }

    @Test func `the chain is put in order`() throws {
        let strangers = [fixtures.otherAuthority.certificate, fixtures.client.certificate]
        let identity = try Identity(
            certificates: strangers + [fixtures.authority.certificate, fixtures.server.certificate],
            privateKey: fixtures.server.privateKey)
        #expect(identity.certificate == fixtures.server.certificate)
        #expect(identity.intermediates == [fixtures.authority.certificate])
    }

    @Test func `a key of another certificate is refused`() throws {
        let error = #expect(throws: CryptoError.self) {
            try Identity(
                certificatesPEM: fixtures.server.certificate.pem, keyPEM: fixtures.client.privateKey.pem)
        }
        #expect(error?.code == .keyMismatch)
        #expect(error?.message.contains("\"localhost\"") == true)
    }

    @Test(arguments: ["", "no PEM at all", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `a text without a certificate is refused`(text: String) throws {
        let error = #expect(throws: CryptoError.self) {
            try Identity(certificatesPEM: text, keyPEM: fixtures.server.privateKey.pem)
        }
        #expect(error?.code == .invalidPEM || error?.code == .invalidCertificate)
    }

    @Test(arguments: ["", "no PEM at all"])
    func `a text without a key is refused`(text: String) throws {
        let error = #expect(throws: CryptoError.self) {
            try Identity(certificatesPEM: fixtures.server.certificate.pem, keyPEM: text)
        }
        #expect(error?.code == .invalidPEM)
        #expect(error?.message.contains("no private key") == true)
    }

    @Test(arguments: [
        "openssl pkcs8 -topk8 -passout pass:hush", "openssl ec -aes128 -passout pass:hush",
        "openssl pkcs8 -topk8 -v1 PBE-SHA1-3DES -passout pass:hush",
        "openssl pkcs8 -topk8 -v1 PBE-MD5-DES -passout pass:hush -provider legacy -provider default",
    ])
    func `an encrypted key needs its password`(command: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write(fixtures.server.privateKey.pem, to: "key.pem")
        let pem = try Shell.text("\(command) -in key.pem", in: directory.url)
        let key = try PrivateKey(pem: pem, password: "hush")
        #expect(key.matches(fixtures.server.certificate))
        let missing = #expect(throws: CryptoError.self) { try PrivateKey(pem: pem) }
        #expect(missing?.code == .passwordNeeded)
        for password in ["", "hus", "hush2", "ünïcode"] {
            let wrong = #expect(throws: CryptoError.self) { try PrivateKey(pem: pem, password: password) }
            #expect(wrong?.code == .wrongPassword)
            #expect(wrong?.message.contains("hus") == false)
        }
    }

    @Test(arguments: ["openssl genrsa 2048", "openssl genrsa -traditional 2048"])
    func `an RSA identity works`(command: String) throws {
        let directory = try TemporaryDirectory()
        let key = try Shell.text("\(command) | tee key.pem", in: directory.url)
        let certificate = try Shell.text(
            "openssl req -x509 -key key.pem -subj /CN=rsa -addext subjectAltName=DNS:localhost",
            in: directory.url)
        let identity = try Identity(certificatesPEM: certificate, keyPEM: key)
        let link = try TLSLink(
            fixtures, trust: .certificates([identity.certificate]), serverIdentity: identity)
        let progress = try link.handshake()
        #expect(progress.client.error == nil && progress.server.isEstablished)
    }

    @Test func `two keys in one text are refused`() throws {
        let pem = fixtures.server.privateKey.pem
        let error = #expect(throws: CryptoError.self) { try PrivateKey(pem: pem + pem) }
        #expect(error?.message.contains("2 private keys") == true)
    }
}
