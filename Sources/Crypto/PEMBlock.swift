/// One `-----BEGIN X-----` … `-----END X-----` block of a PEM text.
struct PEMBlock {
    /// The words after BEGIN, such as `CERTIFICATE`.
    let label: String
    /// The decoded bytes; ciphertext if `hasEncryptionHeader`.
    let der: [UInt8]
    /// Whether the block uses the encryption of OpenSSL before PKCS#8 (`Proc-Type: 4,ENCRYPTED`).
    let hasEncryptionHeader: Bool
    /// The block as it stands in the file, markers included.
    let source: [UInt8]

    /// Every block of a text; text around the blocks is skipped, as OpenSSL does.
    ///
    /// Line ends may be LF, CRLF or missing altogether, and a UTF-8 byte order mark may come first.
    static func blocks(in text: [UInt8]) throws(CryptoError) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var rest = text[...]
        while let begin = rest.firstRange(of: beginMarker) {
            guard let labelEnd = rest[begin.upperBound...].firstRange(of: dashes),
                let label = String(validating: rest[begin.upperBound..<labelEnd.lowerBound], as: UTF8.self),
                label.utf8.count <= labelByteCountMax, !label.contains(where: \.isNewline)
            else {
                throw CryptoError(.invalidPEM, "a BEGIN line does not end in \"-----\"")
            }
            let endMarker = Array("-----END \(label)-----".utf8)
            guard let end = rest[labelEnd.upperBound...].firstRange(of: endMarker) else {
                throw CryptoError(
                    .invalidPEM,
                    "cut off: there is a \"BEGIN \(label)\" line but no \"END \(label)\" line")
            }
            try blocks.append(
                PEMBlock(
                    label: label, body: rest[labelEnd.upperBound..<end.lowerBound],
                    source: rest[begin.lowerBound..<end.upperBound]))
            rest = rest[end.upperBound...]
        }
        return blocks
    }

    /// The PEM text of a block: 64 digits a line, LF, final newline.
    static func text(label: String, der: [UInt8]) -> String {
        let digits = Base64.encode(der, .standard)
        var text = "-----BEGIN \(label)-----\n"
        for start in stride(from: 0, to: digits.count, by: 64) {
            text += String(decoding: digits[start..<min(start + 64, digits.count)], as: UTF8.self) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }

    private static let beginMarker = Array("-----BEGIN ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let labelByteCountMax = 64

    private init(label: String, body: ArraySlice<UInt8>, source: ArraySlice<UInt8>) throws(CryptoError) {
        var hasEncryptionHeader = false
        var digits: [UInt8] = []
        digits.reserveCapacity(body.count)
        for line in body.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            if line.contains(UInt8(ascii: ":")) {
                hasEncryptionHeader =
                    hasEncryptionHeader || line.firstRange(of: Array("ENCRYPTED".utf8)) != nil
            } else {
                digits += line.lazy.filter { $0 != 0x20 && $0 != 0x09 }
            }
        }
        guard !digits.isEmpty else {
            throw CryptoError(.invalidPEM, "there is nothing between BEGIN \(label) and END \(label)")
        }
        guard let der = Base64.decode(digits, .standard) else {
            throw CryptoError(
                .invalidPEM,
                "the text between BEGIN \(label) and END \(label) is damaged: it is not valid base64")
        }
        self.label = label
        self.der = der
        self.hasEncryptionHeader = hasEncryptionHeader
        self.source = Array(source)
    }
}
