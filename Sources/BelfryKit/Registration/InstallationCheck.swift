/// What channels and attributes may be, so that a mistake is told where it is made and not by a server later.
enum InstallationCheck {
    /// The longest channel name, in bytes of UTF-8.
    static let channelByteCountMax = 512
    /// How many channels an installation has at most.
    static let channelCountMax = 1000

    /// Fields that the library sets itself.
    private static let reserved: Set<String> = [
        "objectId", "createdAt", "updatedAt", "deviceToken", "deviceType", "installationId", "apnsTopic",
        "timeZone", "channels", "valid", "environment", "localeIdentifier", "appVersion", "ACL", "className",
        "badge", "deviceProfile", "apnsTeamId",
    ]
    /// Reserved, and yet the app's to set.
    private static let settable: Set<String> = ["badge", "deviceProfile", "apnsTeamId"]

    /// Letters, digits, `_`, `-`, `=` and ideographs (LeanCloud: push guide).
    static func channel(_ name: String) throws(BelfryKitError) {
        let isRight = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f, 0x2d, 0x3d: true
            case 0x80...: scalar.properties.isIdeographic
            default: false
            }
        }
        guard isRight, !name.isEmpty, name.utf8.count <= channelByteCountMax else {
            throw BelfryKitError(
                code: .invalidArgument,
                message: "channel: found '\(name.prefix(40))'; allowed: letters, digits, '_', '-', '=' and "
                    + "Chinese characters, 1 to \(channelByteCountMax) bytes")
        }
    }

    /// Letters, digits and `_`, a letter first; none that the library sets.
    static func attribute(_ name: String) throws(BelfryKitError) {
        let isRight = name.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case 0x41...0x5a, 0x61...0x7a: true
            case 0x30...0x39, 0x5f: index > 0
            default: false
            }
        }
        guard isRight, !name.isEmpty, !reserved.contains(name) || settable.contains(name) else {
            throw BelfryKitError(
                code: .invalidArgument,
                message:
                    "attribute: found '\(name.prefix(40))'; allowed: letters, digits and '_' with a letter "
                    + "first, and no field that the library sets")
        }
    }
}
