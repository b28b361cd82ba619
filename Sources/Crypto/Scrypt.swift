import COpenSSL

/// Keys from passphrases by scrypt (RFC 7914): slow and large in memory on purpose.
package enum Scrypt {
    /// How much work a derivation is.
    package struct Cost: Sendable, Hashable {
        /// The CPU and memory cost N, a power of two; memory is 128 × N × r bytes.
        package var work: UInt64
        /// The block size r.
        package var blockSize: UInt64
        /// The parallelisation p.
        package var parallelization: UInt64

        /// Makes a cost.
        package init(work: UInt64, blockSize: UInt64, parallelization: UInt64) {
            self.work = work
            self.blockSize = blockSize
            self.parallelization = parallelization
        }

        /// About 0.1 s and 32 MB, for a passphrase read once at start.
        package static let start = Cost(work: 1 << 15, blockSize: 8, parallelization: 1)
    }

    /// The most memory a derivation may take, in bytes.
    package static let memoryByteCountMax: UInt64 = 256 << 20

    /// Derives a key; blocks the calling thread.
    ///
    /// - Throws: `invalidArgument` for a cost that scrypt does not define or that takes too much memory.
    package static func key(
        passphrase: [UInt8], salt: [UInt8], cost: Cost, byteCount: Int
    ) throws(CryptoError) -> [UInt8] {
        guard (1...1024).contains(byteCount) else {
            throw CryptoError(.invalidArgument, "found a key size of \(byteCount) bytes, allowed: 1 to 1024")
        }
        OpenSSLErrorQueue.clear()
        var result: Int32 = 0
        let key = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initializedCount in
            result = passphrase.withUnsafeBytes { passphrase in
                EVP_PBE_scrypt(
                    passphrase.baseAddress?.assumingMemoryBound(to: CChar.self) ?? emptyText,
                    passphrase.count, salt, salt.count, cost.work, cost.blockSize, cost.parallelization,
                    memoryByteCountMax, buffer.baseAddress, byteCount)
            }
            initializedCount = result == 1 ? byteCount : 0
        }
        guard result == 1 else {
            throw CryptoError(
                .invalidArgument,
                "scrypt does not take N \(cost.work), r \(cost.blockSize), p \(cost.parallelization): "
                    + OpenSSLErrorQueue.drainText())
        }
        return key
    }

    /// An empty passphrase needs an address, because a null one means "no derivation" to OpenSSL.
    private nonisolated(unsafe) static let emptyText = {
        // Never freed or written: a constant of the process.
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        text.initialize(to: 0)
        return UnsafePointer(text)
    }()
}
