import Crypto
import Testing

/// One way a .p8 file can be wrong: how to make it, and what the error says.
struct WrongP8: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let command: String
    let code: CryptoError.Code
    let words: [String]

    init(_ name: String, _ command: String, _ code: CryptoError.Code, _ words: String...) {
        testDescription = name
        self.command = command
        self.code = code
        self.words = words
    }

    static let key = "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"
    static let selfSigned = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=x"

    static let all = [
        WrongP8("empty", ":", .invalidPEM, "is empty"),
        WrongP8("white space only", "printf ' \\r\\n\\t\\n'", .invalidPEM, "is empty"),
        WrongP8("a byte order mark only", "printf '\\xef\\xbb\\xbf'", .invalidPEM, "not PEM"),
        WrongP8("some text", "echo hello", .invalidPEM, "not PEM", "BEGIN PRIVATE KEY"),
        WrongP8("random bytes", "head -c 300 /dev/urandom", .invalidPEM, "not PEM"),
        WrongP8("zero bytes", "head -c 300 /dev/zero", .invalidPEM, "not PEM"),
        WrongP8("a web page", "echo '<!DOCTYPE html><html>'", .invalidPEM, "web page"),
        WrongP8("UTF-16", "\(key) | iconv -t UTF-16", .invalidPEM, "UTF-16"),
        WrongP8("too large", "\(key); head -c 70000 /dev/zero", .invalidPEM, "65536"),
        WrongP8("certificate", "\(selfSigned) -keyout /dev/null", .wrongKeyType, "holds a certificate"),
        WrongP8(
            "binary certificate", "\(selfSigned) -keyout /dev/null -outform DER", .wrongKeyType,
            "holds a certificate", "DER"),
        WrongP8(
            "certificate request", "openssl req -new -newkey rsa:2048 -nodes -subj /CN=x -keyout /dev/null",
            .wrongKeyType, "certificate request"),
        WrongP8(
            "EC PARAMETERS and SEC 1", "openssl ecparam -name prime256v1 -genkey", .invalidKey,
            "EC PRIVATE KEY", "openssl pkcs8 -topk8 -nocrypt"),
        WrongP8(
            "SEC 1", "openssl ecparam -name prime256v1 -genkey -noout", .invalidKey, "EC PRIVATE KEY",
            "openssl pkcs8 -topk8 -nocrypt"),
        WrongP8(
            "EC PARAMETERS", "openssl ecparam -name prime256v1", .invalidKey, "EC PARAMETERS", "PKCS#8"),
        WrongP8(
            "encrypted", "\(key) -aes256 -pass pass:hush", .passwordNeeded, "encrypted", "openssl pkcs8 -in"),
        WrongP8("RSA", "openssl genrsa 2048", .wrongKeyType, "RSA key", "P-256"),
        WrongP8("old RSA", "openssl genrsa -traditional 2048", .wrongKeyType, "RSA key", "P-256"),
        WrongP8("Ed25519", "openssl genpkey -algorithm ED25519", .wrongKeyType, "ED25519"),
        WrongP8("P-384", curve("P-384"), .wrongKeyType, "P-384", "P-256"),
        WrongP8("P-521", curve("P-521"), .wrongKeyType, "P-521", "P-256"),
        WrongP8("secp256k1", curve("secp256k1"), .wrongKeyType, "secp256k1", "P-256"),
        WrongP8("explicit parameters", "\(key) -pkeyopt ec_param_enc:explicit | sed 's/AQ/AR/'", .invalidKey),
        WrongP8("public key", "\(key) | openssl pkey -pubout", .wrongKeyType, "public key"),
        WrongP8(
            "binary key", "\(key) | openssl pkcs8 -topk8 -nocrypt -outform DER", .invalidPEM, "DER",
            "-inform DER"),
        WrongP8("no last line", "\(key) | head -n -1", .invalidPEM, "cut off", "END PRIVATE KEY"),
        WrongP8("no lines around", "\(key) | sed '/-----/d'", .invalidPEM, "first and last line"),
        WrongP8("first line only", "\(key) | head -n 1", .invalidPEM, "cut off"),
        WrongP8("nothing inside", "\(key) | sed '/-----/!d'", .invalidPEM, "nothing between"),
        WrongP8("a line lost", "\(key) | sed 2d", .invalidKey, "damaged or cut off"),
        WrongP8("a digit lost", "\(key) | sed '2s/.//'", .invalidPEM, "damaged", "base64"),
        WrongP8("a digit garbled", "\(key) | sed '2s/./*/5'", .invalidPEM, "damaged", "base64"),
        WrongP8("halves of two keys", "\(halvesOfTwoKeys)", .invalidKey, "do not fit together"),
        WrongP8("line breaks written out", "\(key) | sed -z 's/\\n/\\\\n/g'", .invalidPEM, "line breaks"),
        WrongP8("two keys", "\(key); \(key)", .invalidPEM, "2 private keys"),
        WrongP8(
            "PKCS#12", "\(selfSigned) -keyout - | openssl pkcs12 -export -passout pass:hush", .wrongKeyType,
            "PKCS#12"),
        WrongP8("SSH key", sshKey, .wrongKeyType, "OPENSSH PRIVATE KEY"),
        WrongP8("bad first line", "echo '-----BEGIN PRIVATE KEY'", .invalidPEM, "BEGIN"),
    ]

    private static func curve(_ name: String) -> String {
        "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:\(name)"
    }

    /// The public key's bytes are the last 65 of 138; those of one key after the head of another.
    private static let halvesOfTwoKeys = """
        der() { \(key) | openssl pkcs8 -topk8 -nocrypt -outform DER; }
        echo '-----BEGIN PRIVATE KEY-----'
        (der | head -c 73; der | tail -c 65) | base64
        echo '-----END PRIVATE KEY-----'
        """
    private static let sshKey = """
        echo '-----BEGIN OPENSSH PRIVATE KEY-----'; head -c 90 /dev/urandom | base64
        echo '-----END OPENSSH PRIVATE KEY-----'
        """
}

struct P8FileTests {
    @Test(arguments: WrongP8.all)
    func `a wrong file gets an error that names the mistake`(file: WrongP8) throws {
        let bytes = try Shell.run(file.command)
        let error = try #require(throws: CryptoError.self) { try SigningKey(p8: bytes) }
        #expect(error.code == file.code, "\(error)")
        for word in file.words { #expect(error.message.contains(word), "\(error)") }
        #expect(!error.message.contains("hush"))
        // No stretch of the file that could be key material may show in the text.
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        where line.utf8.count > 16 && !line.hasPrefix("-----") {
            #expect(!error.message.contains(line.prefix(12)))
        }
    }

    @Test(arguments: [
        "cat", "sed 's/$/\\r/'", "head -c -1", "sed '1s/^/\\xef\\xbb\\xbf/'", "sed -z 's/\\n/\\r/g'",
        "sed 's/^/   /;s/$/  /'", "(echo 'Key of team X'; cat; echo 'trailing text')", "(cat; echo; echo)",
        "tr '\\n' ' '", "tr -d '\\n'", "(openssl ecparam -name prime256v1; cat)",
    ])
    func `harmless differences are accepted`(filter: String) throws {
        let directory = try TemporaryDirectory()
        let bytes = try Shell.run("\(WrongP8.key) | tee key.p8 | \(filter)", in: directory.url)
        let key = try SigningKey(p8: bytes)
        let expected = try Shell.text("openssl pkey -in key.p8 -pubout", in: directory.url)
        #expect(key.publicKey.pem == expected)
    }

    @Test func `a file cut after any byte is refused`() throws {
        let bytes = Array(try SigningKey.generate().p8.utf8)
        // The final newline alone may be missing.
        for count in 0..<bytes.count - 1 {
            #expect(throws: CryptoError.self, "\(count) bytes") {
                try SigningKey(p8: Array(bytes[..<count]))
            }
        }
    }

    @Test func `a file damaged at any byte is refused or is the same key`() throws {
        let key = try SigningKey.generate()
        let bytes = Array(key.p8.utf8)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 3
            if let survivor = try? SigningKey(p8: damaged) {
                #expect(survivor.publicKey == key.publicKey, "byte \(index)")
            }
        }
    }
}
