/// The name of one simulated phone in the control API: 16 hexadecimal digits.
package struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    /// The digits as a number.
    package let rawValue: UInt64

    /// Takes a number.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Reads the 16 digits, in either case.
    ///
    /// - Returns: nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt64(text, radix: 16)
        else { return nil }
        rawValue = number
    }

    /// The 16 digits in lower case.
    package var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
