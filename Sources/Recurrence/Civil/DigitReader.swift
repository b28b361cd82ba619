/// Reads numbers of a fixed width and single characters from the front of a text.
struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
            rest.removeFirst()
        }
        return value
    }

    /// Any number of digits after a point, of which the first three count.
    mutating func fractionInMilliseconds() -> Int? {
        var value = 0
        var count = 0
        while let byte = rest.first, (0x30...0x39).contains(byte) {
            if count < 3 { value = value * 10 + Int(byte - 0x30) }
            count += 1
            rest.removeFirst()
        }
        guard count > 0 else { return nil }
        for _ in min(count, 3)..<3 { value *= 10 }
        return value
    }
}
