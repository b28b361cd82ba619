import Crypto
import Testing

struct SigningKeyTests {
    @Test(arguments: [0, 1, 64, 100_000])
    func `a raw signature has 64 bytes and verifies`(count: Int) throws {
        let key = try SigningKey.generate()
        let message = [UInt8](repeating: 7, count: count)
        let signature = try key.sign(message)
        #expect(signature.count == 64)
        #expect(key.publicKey.isValid(signature: signature, for: message))
        #expect(!key.publicKey.isValid(signature: signature, for: message + [7]))
    }

    @Test func `short numbers in a signature keep their place`() throws {
        // One signature in 128 has an r or s that starts with a zero byte.
        let key = try SigningKey.generate()
        var shortCount = 0
        for index in 0..<2000 {
            let message = Array("message \(index)".utf8)
            let der = try key.sign(message, encoding: .der)
            let raw = try key.sign(message)
            #expect(key.publicKey.isValid(signature: der, for: message))
            #expect(key.publicKey.isValid(signature: raw, for: message))
            if raw[0] == 0 || raw[32] == 0 { shortCount += 1 }
        }
        #expect(shortCount > 0)
    }

    @Test func `another key's signature does not verify`() throws {
        let signature = try SigningKey.generate().sign([1, 2, 3])
        #expect(try !SigningKey.generate().publicKey.isValid(signature: signature, for: [1, 2, 3]))
    }

    @Test func `a damaged signature does not verify`() throws {
        let key = try SigningKey.generate()
        let message: [UInt8] = [1, 2, 3]
        for encoding in [SigningKey.SignatureEncoding.raw, .der] {
            let signature = try key.sign(message, encoding: encoding)
            for index in signature.indices {
                var damaged = signature
                damaged[index] ^= 1
                #expect(!key.publicKey.isValid(signature: damaged, for: message))
                #expect(!key.publicKey.isValid(signature: Array(signature[..<index]), for: message))
            }
            #expect(!key.publicKey.isValid(signature: signature + [0], for: message))
        }
    }

    @Test(arguments: [
        [], [0], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xff, count: 64), [0x30, 0],
        [0x30, 0x06, 2, 1, 0, 2, 1, 0], [0x30, 0x06, 2, 1, 1, 2, 1, 1], [0x30, 0x80, 0, 0],
        [UInt8](repeating: 0x30, count: 100_000),
    ])
    func `nonsense is no signature`(signature: [UInt8]) throws {
        #expect(try !SigningKey.generate().publicKey.isValid(signature: signature, for: [1, 2, 3]))
    }

    @Test func `a key survives its file`() throws {
        let key = try SigningKey.generate()
        let copy = try SigningKey(p8: key.p8)
        #expect(copy.publicKey == key.publicKey)
        #expect(key.p8.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let publicCopy = try VerifyingKey(pem: key.publicKey.pem)
        #expect(publicCopy == key.publicKey)
        #expect(publicCopy.isValid(signature: try copy.sign([9]), for: [9]))
    }

    @Test func `openssl verifies our signatures and we verify those of openssl`() throws {
        let directory = try TemporaryDirectory()
        let message = Array("header.claims".utf8)
        try directory.write(message, to: "message")
        _ = try Shell.run(
            """
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.p8
            openssl pkey -in key.p8 -pubout -out public.pem
            openssl dgst -sha256 -sign key.p8 -out theirs message
            """, in: directory.url)
        let key = try SigningKey(p8: directory.read("key.p8"))
        let publicKey = try VerifyingKey(pem: String(decoding: directory.read("public.pem"), as: UTF8.self))
        #expect(publicKey == key.publicKey)
        #expect(publicKey.isValid(signature: try directory.read("theirs"), for: message))

        try directory.write(try key.sign(message, encoding: .der), to: "ours")
        let verdict = try Shell.text(
            "openssl dgst -sha256 -verify public.pem -signature ours message", in: directory.url)
        #expect(verdict == "Verified OK\n")
    }

    @Test func `the signature of RFC 7515 appendix A_3 verifies`() throws {
        let x = try #require(Base64.decode(Array("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".utf8), .url))
        let y = try #require(Base64.decode(Array("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".utf8), .url))
        let prefix: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
            0x86,
            0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let text = Base64.encodeToString(prefix + x + y, .standard)
        let key = try VerifyingKey(pem: "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----")
        let input = """
            eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290\
            Ijp0cnVlfQ
            """
        let signature =
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let bytes = try #require(Base64.decode(Array(signature.utf8), .url))
        #expect(key.isValid(signature: bytes, for: Array(input.utf8)))
    }

    @Test(arguments: [
        ("P-384", "P-384"), ("secp256k1", "secp256k1"),
    ])
    func `a public key on another curve is refused`(curve: String, name: String) throws {
        let pem = try Shell.text(
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:\(curve) | openssl pkey -pubout")
        let error = #expect(throws: CryptoError.self) { try VerifyingKey(pem: pem) }
        #expect(error?.code == .wrongKeyType)
        #expect(error?.message.contains(name) == true)
    }

    @Test func `threads may share a key`() async throws {
        let key = try SigningKey.generate()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<8 {
                group.addTask { @concurrent in
                    for round in 0..<50 {
                        let message = Array("\(index) \(round)".utf8)
                        guard key.publicKey.isValid(signature: try key.sign(message), for: message) else {
                            return false
                        }
                    }
                    return true
                }
            }
            for try await isGood in group { #expect(isGood) }
        }
    }
}
