import COpenSSL

/// The keyed digest HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// The authentication code of some bytes: 32 bytes.
    ///
    /// Compare codes with ``ConstantTime/areEqual(_:_:)``.
    package static func authenticationCode(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, initializedCount in
            var count: UInt32 = 0
            // A null key means "the key of the call before" to OpenSSL, so an empty one needs an address.
            let keyOrByte = key.isEmpty ? [0] : key
            let result = HMAC(
                EVP_sha256(), keyOrByte, Int32(key.count), bytes, bytes.count, buffer.baseAddress, &count)
            precondition(result != nil && Int(count) == SHA256.byteCount, "OpenSSL cannot compute an HMAC")
            initializedCount = SHA256.byteCount
        }
    }
}
