import Crypto
import Foundation
import Testing

struct PKCS12Tests {
    static let rsa = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=push -keyout -"

    private func file(_ options: String, source: String = rsa) throws -> [UInt8] {
        try Shell.run("\(source) | openssl pkcs12 -export \(options)")
    }

    @Test(arguments: [
        "", "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1",
        "-legacy", "-legacy -keypbe PBE-SHA1-RC2-40 -certpbe PBE-SHA1-RC2-40", "-nomac",
        "-keypbe NONE -certpbe NONE", "-name 'Apple Push'",
    ])
    func `a file opens with its password only`(options: String) throws {
        let bytes = try file("\(options) -passout pass:hüsh")
        let identity = try Identity(pkcs12: bytes, password: "hüsh")
        #expect(identity.certificate.subjectCommonName == "push")
        #expect(identity.privateKey.matches(identity.certificate))
        guard options != "-keypbe NONE -certpbe NONE" || bytes.isEmpty else { return }
        let wrong = #expect(throws: CryptoError.self) { try Identity(pkcs12: bytes, password: "hush") }
        #expect(wrong?.code == .wrongPassword)
        let missing = #expect(throws: CryptoError.self) { try Identity(pkcs12: bytes) }
        #expect(missing?.code == (options == "-nomac" ? .wrongPassword : .passwordNeeded))
        #expect(missing?.message.contains("hüsh") == false)
    }

    @Test(arguments: ["", "-legacy", "-nomac -keypbe NONE -certpbe NONE"])
    func `a file without a password opens with none or an empty one`(options: String) throws {
        let bytes = try file("\(options) -passout pass:")
        #expect(try Identity(pkcs12: bytes).certificate.subjectCommonName == "push")
        #expect(try Identity(pkcs12: bytes, password: "").certificate.subjectCommonName == "push")
    }

    @Test func `without the legacy provider an old file gets an error with the way out`() async {
        // In a process of its own: a provider, once loaded, stays.
        await #expect(processExitsWith: .success) {
            let bytes = try Shell.run(
                "\(PKCS12Tests.rsa) | openssl pkcs12 -export -legacy -passout pass:hush")
            let key = try Shell.text(
                """
                openssl genrsa 2048 | openssl pkcs8 -topk8 -v1 PBE-MD5-DES -passout pass:hush \\
                    -provider legacy -provider default
                """)
            setenv("OPENSSL_MODULES", "/nowhere", 1)
            let error = try #require(throws: CryptoError.self) {
                try Identity(pkcs12: bytes, password: "hush")
            }
            #expect(error.code == .unsupportedEncryption)
            #expect(error.message.contains("openssl pkcs12 -legacy"))
            let wrong = try #require(throws: CryptoError.self) {
                try Identity(pkcs12: bytes, password: "hash")
            }
            #expect(wrong.code == .wrongPassword)
            let keyError = try #require(throws: CryptoError.self) {
                try PrivateKey(pem: key, password: "hush")
            }
            #expect(keyError.code == .unsupportedEncryption)
            #expect(keyError.message.contains("openssl pkcs8 -topk8"))
        }
    }

    @Test func `the chain comes along`() throws {
        let fixtures = try TLSFixtures.get()
        let directory = try TemporaryDirectory()
        try directory.write(fixtures.authority.certificate.pem, to: "ca.pem")
        try directory.write(fixtures.client.privateKey.pem + fixtures.client.certificatesPEM, to: "both.pem")
        let bytes = try Shell.run(
            "openssl pkcs12 -export -in both.pem -certfile ca.pem -passout pass:x", in: directory.url)
        let identity = try Identity(pkcs12: bytes, password: "x")
        #expect(identity.certificate == fixtures.client.certificate)
        #expect(identity.intermediates == [fixtures.authority.certificate])
    }

    @Test func `a file without a key is refused`() throws {
        let bytes = try file("-nokeys -passout pass:x")
        let error = #expect(throws: CryptoError.self) { try Identity(pkcs12: bytes, password: "x") }
        #expect(error?.code == .invalidPKCS12)
        #expect(error?.message.contains("no private key") == true)
    }

    @Test func `a file without a certificate is refused`() throws {
        let bytes = try file("-nocerts -passout pass:x", source: "openssl genrsa 2048")
        let error = #expect(throws: CryptoError.self) { try Identity(pkcs12: bytes, password: "x") }
        #expect(error?.code == .invalidPKCS12)
        #expect(error?.message.contains("no certificate") == true)
    }

    @Test(arguments: [
        (":", "empty"), ("echo hello", "not a PKCS#12"), ("head -c 3000 /dev/urandom", "not a PKCS#12"),
        (rsa, "PEM text"), ("head -c 1100000 /dev/zero", "1048576"),
        ("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -outform DER", "not a PKCS#12"),
    ])
    func `another file is refused`(command: String, words: String) throws {
        let bytes = try Shell.run(command)
        let error = #expect(throws: CryptoError.self) { try Identity(pkcs12: bytes, password: "x") }
        #expect(error?.code == .invalidPKCS12)
        #expect(error?.message.contains(words) == true)
    }

    @Test func `a file cut or damaged anywhere is refused`() throws {
        let bytes = try file(
            "-passout pass:x -iter 1 -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES",
            source:
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=push -keyout -"
        )
        for index in stride(from: 0, to: bytes.count, by: 11) {
            #expect(throws: CryptoError.self) { try Identity(pkcs12: Array(bytes[..<index]), password: "x") }
            var damaged = bytes
            damaged[index] ^= 0x10
            _ = try? Identity(pkcs12: damaged, password: "x")
        }
    }
}
