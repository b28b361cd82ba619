import COpenSSL

/// The SHA-256 digest.
package enum SHA256 {
    /// Bytes of a digest.
    package static let byteCount = 32

    /// The digest of some bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { digest(of: $0) }
    }

    /// The digest of some bytes.
    package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        Digest.digest(of: bytes, EVP_sha256(), byteCount: byteCount)
    }
}

/// One-shot digests by algorithm.
enum Digest {
    static func digest(
        of bytes: UnsafeRawBufferPointer, _ algorithm: OpaquePointer?, byteCount: Int
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initializedCount in
            var count: UInt32 = 0
            let result = EVP_Digest(
                bytes.baseAddress, bytes.count, buffer.baseAddress, &count, algorithm, nil)
            precondition(result == 1 && Int(count) == byteCount, "OpenSSL cannot compute a digest")
            initializedCount = byteCount
        }
    }
}
