/// Numbers as people write them: no exponent, no fraction that is zero, no group marks.
enum PlainNumber {
    /// The shortest digits that stand for a number; nil when it is not finite.
    static func text(_ number: Double) -> String? {
        guard number.isFinite else { return nil }
        if let integer = Int64(exactly: number) { return String(integer) }
        let description = number.magnitude.description
        let sign = number < 0 ? "-" : ""
        guard let mark = description.firstIndex(of: "e"),
            let exponent = Int(description[description.index(after: mark)...])
        else { return sign + (description.hasSuffix(".0") ? String(description.dropLast(2)) : description) }
        let mantissa = description[..<mark]
        let point = mantissa.firstIndex(of: ".") ?? mantissa.endIndex
        var digits = String(mantissa[..<point] + mantissa[point...].dropFirst())
        var place = mantissa[..<point].count + exponent
        if mantissa.hasSuffix(".0") { digits.removeLast() }
        if place <= 0 {
            digits = String(repeating: "0", count: 1 - place) + digits
            place = 1
        }
        if place >= digits.count {
            return sign + digits + String(repeating: "0", count: place - digits.count)
        }
        let index = digits.index(digits.startIndex, offsetBy: place)
        return sign + digits[..<index] + "." + digits[index...]
    }
}
