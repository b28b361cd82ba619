/// A DNS name as certificates and TLS use it: ASCII, no final dot.
struct HostName: Hashable {
    let text: String

    /// The longest DNS name in text form (RFC 1035 §2.3.4, less the length bytes).
    static let byteCountMax = 253
    static let labelByteCountMax = 63

    init(_ name: String, allowsWildcard: Bool = false) throws(CryptoError) {
        let text = name.hasSuffix(".") ? String(name.dropLast()) : name
        guard !text.isEmpty, text.utf8.count <= HostName.byteCountMax else {
            throw CryptoError(
                .invalidArgument,
                "a host name has 1 to \(HostName.byteCountMax) characters; this one has \(text.utf8.count)")
        }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for (index, label) in labels.enumerated() {
            let isWildcard = allowsWildcard && index == 0 && labels.count > 1 && label.elementsEqual("*".utf8)
            let hyphen = UInt8(ascii: "-")
            let isPlain =
                label.allSatisfy(HostName.isAllowed) && label.first != hyphen && label.last != hyphen
            guard isWildcard || (isPlain && (1...HostName.labelByteCountMax).contains(label.count)) else {
                throw CryptoError(
                    .invalidArgument,
                    "\"\(name)\" is not a host name: parts of 1 to 63 letters, digits, \"-\" and \"_\" are "
                        + "allowed, separated by dots (write international names in their xn-- form)")
            }
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
