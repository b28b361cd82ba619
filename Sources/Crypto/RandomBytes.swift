import COpenSSL

/// Bytes from OpenSSL's random generator, fit for secrets.
package enum RandomBytes {
    /// Some random bytes.
    package static func make(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            guard count > 0 else { return }
            let result = RAND_bytes(buffer.baseAddress, Int32(count))
            // A machine without randomness must not go on with guessable secrets.
            precondition(result == 1, "OpenSSL has no random bytes")
            initializedCount = count
        }
    }
}
