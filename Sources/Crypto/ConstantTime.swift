import COpenSSL

/// Comparison of secrets that takes the same time wherever they differ.
package enum ConstantTime {
    /// Whether two byte strings are equal; only their lengths show in the time it takes.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
