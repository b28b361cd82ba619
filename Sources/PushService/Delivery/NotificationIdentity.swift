internal import APNs
internal import Crypto

/// The `apns-id` of each notification of a push, the same at every attempt.
///
/// Derived from the push and the installation's number, without allocating; 122 bits are as good as unique.
/// Version 8 of RFC 9562, section 5.8: a custom layout.
struct NotificationIdentity: Sendable {
    private let high: UInt64
    private let low: UInt64

    init(push objectID: String) {
        let digest = SHA256.digest(of: Array(objectID.utf8))
        high = Self.number(digest[0..<8])
        low = Self.number(digest[8..<16])
    }

    /// What stands for a device token that was given with the push: 64 bits of its digest.
    static func number(of token: DeviceToken) -> Int64 {
        Int64(bitPattern: number(SHA256.digest(of: Array(token.hexString.utf8))[0..<8]))
    }

    /// The id for an installation's number, or for that of a device token.
    func id(_ number: Int64) -> NotificationID {
        let first = Self.mixed(high &+ UInt64(bitPattern: number))
        let second = Self.mixed(low ^ UInt64(bitPattern: number))
        return NotificationID(
            high: first & 0xffff_ffff_ffff_0fff | 0x8000,
            low: second & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// SplitMix64's finaliser.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
