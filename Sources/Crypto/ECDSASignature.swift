/// The two written forms of a P-256 signature.
enum ECDSASignature {
    /// Bytes of each of the two numbers.
    static let numberByteCount = 32
    static let rawByteCount = 64
    /// Two integers of up to 33 bytes with their headers, and the sequence's header.
    static let derByteCountMax = 72

    static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        var outer = DERReader(der)
        guard var numbers = outer.next(DERWriter.Tag.sequence)?.reader, outer.isAtEnd,
            let r = numbers.next(DERWriter.Tag.integer), let s = numbers.next(DERWriter.Tag.integer),
            numbers.isAtEnd
        else { return nil }
        var raw: [UInt8] = []
        raw.reserveCapacity(rawByteCount)
        for number in [r.content, s.content] {
            let digits = number.drop { $0 == 0 }
            guard digits.count <= numberByteCount else { return nil }
            raw.append(contentsOf: repeatElement(0, count: numberByteCount - digits.count))
            raw += digits
        }
        return raw
    }

    static func der(fromRaw raw: UnsafeRawBufferPointer) -> [UInt8] {
        DERWriter.encode { writer in
            writer.element(DERWriter.Tag.sequence) { sequence in
                sequence.unsignedInteger(raw.prefix(numberByteCount))
                sequence.unsignedInteger(raw.dropFirst(numberByteCount))
            }
        }
    }
}
