/// Appends JSON text: neither slashes nor anything outside ASCII is escaped.
package enum JSONText {
    /// Appends a string with its quotation marks.
    package static func append(_ string: String, to output: inout [UInt8]) {
        output.append(0x22)
        appendContents(string, to: &output)
        output.append(0x22)
    }

    /// Appends what stands between a string's quotation marks.
    package static func appendContents(_ string: String, to output: inout [UInt8]) {
        var string = string
        string.withUTF8 { text in
            for byte in text {
                if let letter = escape(byte) {
                    output.append(0x5c)
                    output.append(letter)
                } else if byte < 0x20 {
                    output.append(contentsOf: [0x5c, 0x75, 0x30, 0x30])
                    output.append(Hexadecimal.digit(byte >> 4))
                    output.append(Hexadecimal.digit(byte & 0x0f))
                } else {
                    output.append(byte)
                }
            }
        }
    }

    /// Appends a whole number.
    package static func append(_ integer: Int64, to output: inout [UInt8]) {
        output.append(contentsOf: String(integer).utf8)
    }

    /// Appends a number; one without a fraction is written as an integer.
    package static func append(_ number: Double, to output: inout [UInt8]) throws(APNsError) {
        guard number.isFinite else {
            throw APNsError(code: .invalidJSON, message: "JSON has no number for \(number)")
        }
        if let integer = Int64(exactly: number) {
            append(integer, to: &output)
        } else {
            output.append(contentsOf: number.description.utf8)
        }
    }

    /// How many bytes a string takes between its quotation marks.
    static func byteCount(of string: some StringProtocol) -> Int {
        string.utf8.reduce(0) { count, byte in
            count + (escape(byte) != nil ? 2 : byte < 0x20 ? 6 : 1)
        }
    }

    /// The letter after the backslash, for bytes that have a short escape.
    private static func escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x22, 0x5c: byte
        case 0x08: 0x62
        case 0x09: 0x74
        case 0x0a: 0x6e
        case 0x0c: 0x66
        case 0x0d: 0x72
        default: nil
        }
    }
}
