/// Writes the few ASN.1 DER structures that certificates and signatures here need.
struct DERWriter {
    /// Tag bytes: class and constructed bit included.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let null: UInt8 = 0x05
        static let objectIdentifier: UInt8 = 0x06
        static let utf8String: UInt8 = 0x0c
        static let printableString: UInt8 = 0x13
        static let ia5String: UInt8 = 0x16
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31

        /// A context-specific, primitive tag such as `[2]`.
        static func context(_ number: UInt8) -> UInt8 { 0x80 | number }
        /// A context-specific, constructed tag.
        static func contextConstructed(_ number: UInt8) -> UInt8 { 0xa0 | number }
    }

    private(set) var bytes: [UInt8] = []

    /// The bytes that `body` writes.
    static func encode(_ body: (inout DERWriter) -> Void) -> [UInt8] {
        var writer = DERWriter()
        body(&writer)
        return writer.bytes
    }

    mutating func element(_ tag: UInt8, _ content: [UInt8]) {
        bytes.append(tag)
        appendLength(content.count)
        bytes += content
    }

    mutating func element(_ tag: UInt8, _ body: (inout DERWriter) -> Void) {
        element(tag, DERWriter.encode(body))
    }

    mutating func text(_ tag: UInt8, _ text: String) {
        element(tag, Array(text.utf8))
    }

    /// A non-negative integer from big-endian bytes of any length.
    mutating func unsignedInteger(_ bigEndian: some Collection<UInt8>) {
        var content = Array(bigEndian.drop { $0 == 0 })
        if content.first.map({ $0 >= 0x80 }) ?? true { content.insert(0, at: 0) }
        element(Tag.integer, content)
    }

    /// An object identifier from its numbers; the first two must be within ASN.1's bounds.
    mutating func objectIdentifier(_ arcs: [UInt]) {
        precondition(arcs.count >= 2 && arcs[0] <= 2, "an object identifier has two numbers or more")
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var groups = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            content += groups.reversed()
        }
        element(Tag.objectIdentifier, content)
    }

    private mutating func appendLength(_ count: Int) {
        guard count >= 0x80 else {
            bytes.append(UInt8(count))
            return
        }
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        bytes.append(0x80 | UInt8(digits.count))
        bytes += digits
    }
}
