/// Reads ASN.1 DER element by element; every length is checked, nothing is trusted.
struct DERReader {
    /// One element: its tag byte and the bytes it holds.
    struct Element {
        let tag: UInt8
        let content: ArraySlice<UInt8>

        /// A reader for the elements inside a constructed element.
        var reader: DERReader { DERReader(content) }

        /// The text of a string element; nil for other tags or broken UTF-8.
        var text: String? {
            switch tag {
            case DERWriter.Tag.utf8String, DERWriter.Tag.printableString, DERWriter.Tag.ia5String:
                String(validating: content, as: UTF8.self)
            default: nil
            }
        }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element, or nil at the end or if the bytes are not DER.
    mutating func next() -> Element? {
        guard rest.count >= 2 else { return nil }
        let tag = rest[rest.startIndex]
        // Tag numbers over 30 take more bytes; nothing read here has one.
        guard tag & 0x1f != 0x1f else { return nil }
        var index = rest.startIndex + 1
        var length = Int(rest[index])
        index += 1
        if length >= 0x80 {
            let digitCount = length & 0x7f
            guard (1...4).contains(digitCount), rest.endIndex - index >= digitCount else { return nil }
            length = rest[index..<index + digitCount].reduce(0) { $0 << 8 | Int($1) }
            index += digitCount
        }
        guard rest.endIndex - index >= length else { return nil }
        let content = rest[index..<index + length]
        rest = rest[(index + length)...]
        return Element(tag: tag, content: content)
    }

    /// The next element if it has this tag.
    mutating func next(_ tag: UInt8) -> Element? {
        guard rest.first == tag else { return nil }
        return next()
    }
}
