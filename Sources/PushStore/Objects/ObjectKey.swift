/// What keys of objects may be (LeanCloud: REST API guide, error codes 105 and 121).
enum ObjectKey {
    /// The longest key, in bytes of UTF-8.
    static let byteCountMax = 256

    /// Whether a text is a letter followed by letters, digits and `_`.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= byteCountMax else { return false }
        return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || $0 == 0x5f }
    }

    /// Refuses what is no key of an object itself.
    static func check(_ key: String) throws(ChangeError) {
        if isName(key) { return }
        try checkNested(key, path: "the object")
        throw ChangeError(
            code: 105,
            "\(shown(key)) is no key: letters, digits and '_' are allowed, a letter first, at most "
                + "\(byteCountMax) bytes")
    }

    /// Refuses what is no key inside a value.
    static func checkNested(_ key: String, path: String) throws(ChangeError) {
        if key.utf8.contains(where: { $0 == 0x24 || $0 == 0x2e }) {
            throw ChangeError(code: 121, "\(shown(key)) in \(path): a key has no '$' and no '.'")
        }
        guard key.utf8.count <= byteCountMax, !key.utf8.contains(0) else {
            throw ChangeError(
                code: 105, "\(shown(key)) in \(path): a key has at most \(byteCountMax) bytes and no U+0000")
        }
    }

    /// A text from outside for an error's sentence: short and without control characters.
    static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(40).map { scalar in
            scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value ? "?" : String(Character(scalar))
        }
        return "'\(scalars.joined())\(text.unicodeScalars.count > 40 ? "…" : "")'"
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x41...0x5a ~= byte || 0x61...0x7a ~= byte
    }
}
