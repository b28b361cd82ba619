import COpenSSL

/// The MD5 digest, for protocols that prescribe it; it protects nothing.
package enum MD5 {
    /// Bytes of a digest.
    package static let byteCount = 16

    /// The digest of some bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { Digest.digest(of: $0, EVP_md5(), byteCount: byteCount) }
    }
}
