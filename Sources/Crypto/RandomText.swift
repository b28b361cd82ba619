/// Texts nobody can guess, for ids and keys.
package enum RandomText {
    private static let characters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Letters and digits; each carries 5.95 random bits.
    package static func alphanumeric(count: Int) -> String {
        var text: [UInt8] = []
        while text.count < count {
            // Bytes from the largest multiple of 62 on would make some characters likelier than others.
            for byte in RandomBytes.make(count: 32) where byte < 248 && text.count < count {
                text.append(characters[Int(byte) % characters.count])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
