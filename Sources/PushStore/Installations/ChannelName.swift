/// Names of channels: letters, digits, `_`, `-`, `=`, CJK ideographs, or nothing, which is for broadcasts
/// (LeanCloud: push guide).
package enum ChannelName {
    /// The longest name, in bytes of UTF-8.
    static let byteCountMax = 512

    package static func check(_ name: String) throws(ChangeError) {
        guard name.utf8.count <= byteCountMax, name.unicodeScalars.allSatisfy(isAllowed) else {
            throw ChangeError(
                code: 112,
                "channels: \(ObjectKey.shown(name)) is no channel: letters, digits, '_', '-', '=' and Chinese "
                    + "characters are allowed")
        }
    }

    /// Channels as a JSON array; no allowed character needs an escape.
    static func text(_ names: [String]) -> String {
        names.isEmpty ? "[]" : "[\"" + names.joined(separator: "\",\"") + "\"]"
    }

    /// Reads what ``text(_:)`` wrote.
    static func names(_ text: String) -> [String] {
        guard text.utf8.count > 2 else { return [] }
        return text.dropFirst(2).dropLast(2).split(separator: "\",\"", omittingEmptySubsequences: false)
            .map(String.init)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f, 0x2d, 0x3d: true
        case 0x80...: scalar.properties.isIdeographic
        default: false
        }
    }
}
