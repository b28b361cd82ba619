import Crypto
import Testing

struct ScryptTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test func `keys are those of RFC 7914`() throws {
        let empty = try Scrypt.key(
            passphrase: [], salt: [], cost: .init(work: 16, blockSize: 1, parallelization: 1), byteCount: 64)
        #expect(
            hex(empty)
                == "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906")
        let second = try Scrypt.key(
            passphrase: Array("password".utf8), salt: Array("NaCl".utf8),
            cost: .init(work: 1024, blockSize: 8, parallelization: 16), byteCount: 64)
        #expect(
            hex(second)
                == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
    }

    @Test(arguments: [
        Scrypt.Cost(work: 3, blockSize: 8, parallelization: 1),
        Scrypt.Cost(work: 0, blockSize: 8, parallelization: 1),
        Scrypt.Cost(work: 1 << 24, blockSize: 8, parallelization: 1),
        Scrypt.Cost(work: 16, blockSize: 0, parallelization: 1),
    ])
    func `a cost that cannot be met is refused`(cost: Scrypt.Cost) {
        #expect(throws: CryptoError.self) {
            try Scrypt.key(passphrase: [1], salt: [2], cost: cost, byteCount: 32)
        }
    }
}
