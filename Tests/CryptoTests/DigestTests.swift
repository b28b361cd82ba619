import Crypto
import Testing

struct DigestTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `SHA-256 gives the values of FIPS 180`(text: String, digest: String) {
        #expect(hex(SHA256.digest(of: Array(text.utf8))) == digest)
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ])
    func `MD5 gives the values of RFC 1321`(text: String, digest: String) {
        #expect(hex(MD5.digest(of: Array(text.utf8))) == digest)
    }

    @Test func `HMAC gives the values of RFC 4231`() {
        let key = [UInt8](repeating: 0x0b, count: 20)
        #expect(
            hex(HMACSHA256.authenticationCode(for: Array("Hi There".utf8), key: key))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            hex(
                HMACSHA256.authenticationCode(
                    for: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            hex(HMACSHA256.authenticationCode(for: [], key: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func `secrets are compared whole`() {
        #expect(ConstantTime.areEqual([], []))
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [0, 2, 3]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
    }

    @Test func `random bytes differ`() {
        #expect(RandomBytes.make(count: 0).isEmpty)
        #expect(RandomBytes.make(count: 32).count == 32)
        #expect(RandomBytes.make(count: 32) != RandomBytes.make(count: 32))
    }
}
