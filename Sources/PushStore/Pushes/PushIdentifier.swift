internal import Crypto

/// Ids of pushes: 16 letters and digits, as LeanCloud's are.
enum PushIdentifier {
    private static let characters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// A new id; as good as unique with 95 random bits.
    static func random() -> String {
        var text: [UInt8] = []
        while text.count < 16 {
            // Bytes that would make some characters likelier than others are not used.
            for byte in RandomBytes.make(count: 32) where text.count < 16 && byte < 248 {
                text.append(characters[Int(byte) % 62])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
