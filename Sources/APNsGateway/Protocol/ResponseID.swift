package import APNs

/// The identifier a response carries: apns-id or apns-request-id, in the spelling of its maker.
///
/// What a client sent comes back digit for digit; what the gateway makes is in upper case, as from APNs.
package struct ResponseID: Hashable, Sendable {
    /// The identifier itself.
    package let id: NotificationID
    /// Bit n is set when character n of the canonical form is an upper-case letter.
    private let upperCase: UInt64

    private static let everyCharacter: UInt64 = (1 << UInt64(NotificationID.characterCount)) - 1

    /// Reads the identifier a client sent, in either case or a mixture.
    ///
    /// - Returns: nil when it is not a UUID in canonical form.
    package init?(echoing text: UnsafeRawBufferPointer) {
        guard let id = NotificationID(utf8: text) else { return nil }
        self.id = id
        // Of the characters of a UUID only A to F lack the bit 0x20.
        var common: UInt8 = 0xff
        for byte in text { common &= byte }
        upperCase = common & 0x20 != 0 ? 0 : ResponseID.upperCaseMask(text)
    }

    /// Takes an identifier made by the gateway.
    package init(generated id: NotificationID) {
        self.id = id
        upperCase = ResponseID.everyCharacter
    }

    /// Appends the 36 characters; allocates only when the array has to grow.
    package func append(to output: inout [UInt8]) {
        if upperCase == 0 || upperCase == ResponseID.everyCharacter {
            id.append(to: &output, uppercased: upperCase != 0)
            return
        }
        let start = output.count
        id.append(to: &output, uppercased: false)
        for index in 0..<NotificationID.characterCount where upperCase >> UInt64(index) & 1 == 1 {
            output[start + index] &= 0xdf
        }
    }

    /// The 36 characters.
    package var text: String {
        var output: [UInt8] = []
        append(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static func upperCaseMask(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var mask: UInt64 = 0
        for index in 0..<text.count where text[index] & 0x20 == 0 { mask |= 1 << UInt64(index) }
        return mask
    }
}
