internal import Crypto
internal import Dispatch

/// Passwords as they are kept: scrypt with a salt of their own, in one text.
///
/// `scrypt$N$r$p$salt$key` with salt and key in base64url, so that costs can be raised later.
package enum PasswordHash {
    /// The shortest password that is taken, in characters.
    package static let countMin = 10
    /// The longest, in bytes.
    package static let byteCountMax = 1024

    private static let saltByteCount = 16
    private static let keyByteCount = 32

    /// What is wrong with a new password; nil when it can be taken.
    package static func fault(of password: String) -> String? {
        if password.count < countMin { return "password: at least \(countMin) characters are needed" }
        if password.utf8.count > byteCountMax {
            return "password: at most \(byteCountMax) bytes are allowed"
        }
        if Set(password).count < 4 { return "password: it repeats too few characters" }
        return nil
    }

    /// The text to keep of a password; takes about 0.1 s on a thread of its own.
    package static func make(_ password: String) async -> String {
        let cost = Scrypt.Cost.start
        let salt = RandomBytes.make(count: saltByteCount)
        let key = await derive(password, salt, cost) ?? []
        return [
            "scrypt", String(cost.work), String(cost.blockSize), String(cost.parallelization),
            Base64.encodeToString(salt, .url), Base64.encodeToString(key, .url),
        ].joined(separator: "$")
    }

    /// Whether a password is the one of a text; takes as long when there is no text.
    ///
    /// - Parameter hash: nil for a user that does not exist, so that nobody learns it from the time.
    package static func matches(_ password: String, _ hash: String?) async -> Bool {
        guard let stored = hash.flatMap(Parts.init), password.utf8.count <= byteCountMax else {
            _ = await derive("", [UInt8](repeating: 0, count: saltByteCount), .start)
            return false
        }
        guard let key = await derive(password, stored.salt, stored.cost), !key.isEmpty else { return false }
        return ConstantTime.areEqual(key, stored.key)
    }

    private struct Parts {
        var cost: Scrypt.Cost
        var salt: [UInt8]
        var key: [UInt8]

        init?(_ text: String) {
            let parts = text.split(separator: "$", omittingEmptySubsequences: false)
            guard parts.count == 6, parts[0] == "scrypt", let work = UInt64(parts[1]),
                let blockSize = UInt64(parts[2]), let parallelization = UInt64(parts[3]),
                let salt = Base64.decode(Array(parts[4].utf8), .url),
                let key = Base64.decode(Array(parts[5].utf8), .url), key.count == keyByteCount
            else { return nil }
            cost = Scrypt.Cost(work: work, blockSize: blockSize, parallelization: parallelization)
            self.salt = salt
            self.key = key
        }
    }

    /// One at a time: a derivation takes 32 MB, and a flood of sign-ins must not take them all at once.
    private static let queue = DispatchQueue(label: "belfry.console.scrypt")

    private static func derive(_ password: String, _ salt: [UInt8], _ cost: Scrypt.Cost) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: try? Scrypt.key(
                        passphrase: Array(password.utf8), salt: salt, cost: cost, byteCount: keyByteCount))
            }
        }
    }
}
