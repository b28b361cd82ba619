import COpenSSL

/// Owns one X509.
///
/// `@unchecked Sendable`: the X509 is never changed after `init`, and OpenSSL's readers (and its internal
/// lazy caches, which take a lock) may run on any thread. Goes away if OpenSSL's pointers become Sendable.
final class CertificateHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(takingOwnership pointer: OpaquePointer) {
        self.pointer = pointer
    }

    init(retaining pointer: OpaquePointer) {
        X509_up_ref(pointer)
        self.pointer = pointer
    }

    deinit {
        X509_free(pointer)
    }
}

/// Owns one EVP_PKEY.
///
/// `@unchecked Sendable`: the key is never changed after `init`; OpenSSL allows signing and verifying with
/// one EVP_PKEY on many threads, each with its own context.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(takingOwnership pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}

/// Runs one of OpenSSL's `i2d_` functions and returns the DER bytes.
func encodedDER(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
    let count = Int(encode(nil))
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        var cursor = buffer.baseAddress
        initializedCount = max(0, Int(encode(&cursor)))
    }
}

/// Runs one of OpenSSL's `d2i_` functions over all of `der`; nil if it fails or leaves bytes over.
func decodedDER<Result>(
    _ der: [UInt8],
    free: (Result) -> Void,
    _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> Result?
) -> Result? {
    der.withUnsafeBufferPointer { buffer in
        var cursor = buffer.baseAddress
        guard let result = decode(&cursor, buffer.count) else { return nil }
        guard let cursor, let base = buffer.baseAddress, cursor - base == buffer.count else {
            free(result)
            return nil
        }
        return result
    }
}
