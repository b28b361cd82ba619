@testable import Crypto
import Testing

struct AESGCMTests {
    /// The cases 13 to 16 of McGrew and Viega, The Galois/Counter Mode of Operation, appendix B.
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var key: String
        var nonce: String
        var plain: String
        var additionalData: String
        var encrypted: String
        var tag: String
        var testDescription: String { name }
    }

    static let vectors = [
        Vector(
            name: "case 13", key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12),
            plain: "", additionalData: "", encrypted: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            name: "case 14", key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12),
            plain: String(repeating: "00", count: 16), additionalData: "",
            encrypted: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            name: "case 16", key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plain:
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
                + "b16aedf5aa0de657ba637b39",
            additionalData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            encrypted:
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
                + "c5f61e6393ba7a0abcc9f662",
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }

    @Test(arguments: vectors)
    func `sealing gives the values of the published vectors`(vector: Vector) throws {
        let key = Self.bytes(vector.key)
        let additionalData = Self.bytes(vector.additionalData)
        let sealed = try AESGCM.seal(
            Self.bytes(vector.plain), key: key, nonce: Self.bytes(vector.nonce),
            additionalData: additionalData)
        #expect(sealed == Self.bytes(vector.nonce + vector.encrypted + vector.tag))
        #expect(try AESGCM.open(sealed, key: key, additionalData: additionalData) == Self.bytes(vector.plain))
    }

    @Test func `a sealed value does not open when any of its bits is changed`() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let sealed = try AESGCM.seal(Array("secret".utf8), key: key, additionalData: Array("row 1".utf8))
        #expect(sealed.count == 12 + 6 + 16)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(try AESGCM.open(changed, key: key, additionalData: Array("row 1".utf8)) == nil)
        }
        for count in 0..<sealed.count {
            let cut = Array(sealed.prefix(count))
            #expect(try AESGCM.open(cut, key: key, additionalData: Array("row 1".utf8)) == nil)
        }
    }

    @Test func `a sealed value does not open elsewhere or with another key`() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let sealed = try AESGCM.seal([1, 2, 3], key: key, additionalData: [1])
        #expect(try AESGCM.open(sealed, key: key, additionalData: [1]) == [1, 2, 3])
        #expect(try AESGCM.open(sealed, key: key, additionalData: [2]) == nil)
        #expect(try AESGCM.open(sealed, key: key, additionalData: []) == nil)
        #expect(try AESGCM.open(sealed, key: [UInt8](repeating: 8, count: 32), additionalData: [1]) == nil)
        #expect(try AESGCM.seal([1, 2, 3], key: key, additionalData: [1]) != sealed)
    }

    @Test(arguments: [0, 16, 31, 33])
    func `a key of the wrong size is refused`(count: Int) {
        let key = [UInt8](repeating: 1, count: count)
        #expect(throws: CryptoError.self) { try AESGCM.seal([1], key: key, additionalData: []) }
        #expect(throws: CryptoError.self) {
            try AESGCM.open([UInt8](repeating: 0, count: 40), key: key, additionalData: [])
        }
    }
}
