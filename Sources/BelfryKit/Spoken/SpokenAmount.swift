/// A number read aloud: the names of the recorded pieces that say it.
///
/// Names are English words in both languages, as file names should be ASCII; what is recorded under them is in the
/// language: `two` is "二" and `pair` is "两", `ten-thousand` is "万".
public enum SpokenAmount {
    /// How numbers are read.
    public enum Language: String, Sendable, Hashable, CaseIterable {
        /// 一百二十三点四五
        case chinese
        /// One hundred and twenty-three point four five.
        case english
    }

    /// Digits before the point at most: up to a thousand million million.
    public static let wholeDigitCountMax = 15
    /// Digits after the point at most.
    public static let fractionDigitCountMax = 6

    private static let digits = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ]
    private static let teens = [
        "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
        "nineteen",
    ]
    private static let tens = [
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]

    /// The pieces of an amount.
    ///
    /// - Parameters:
    ///   - amount: digits with at most one point, such as `1280.50`; commas between groups of three are passed over.
    ///     Zeros at the end of the fraction are not read.
    ///   - language: the language of the pieces.
    /// - Throws: `invalidArgument` for anything else.
    public static func pieces(_ amount: String, in language: Language) throws(BelfryKitError) -> [String] {
        let (whole, fraction) = try read(amount)
        var pieces = language == .chinese ? chinese(whole) : english(whole)
        if !fraction.isEmpty { pieces += ["point"] + fraction.map { digits[$0] } }
        return pieces
    }

    private static func read(_ amount: String) throws(BelfryKitError) -> (whole: [Int], fraction: [Int]) {
        let parts = amount.split(separator: ".", omittingEmptySubsequences: false)
        let groups = (parts.first ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let isGrouped =
            groups.count == 1
            || ((1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy { $0.count == 3 })
        let whole = numbers(groups.joined())
        let fraction = parts.count == 2 ? numbers(parts[1]) : []
        guard parts.count <= 2, isGrouped, let whole, let fraction, !whole.isEmpty,
            parts.count == 1 || !fraction.isEmpty, whole.count <= wholeDigitCountMax,
            fraction.count <= fractionDigitCountMax
        else {
            throw BelfryKitError(
                code: .invalidArgument,
                message:
                    "amount: found '\(amount.prefix(40))'; allowed: up to \(wholeDigitCountMax) digits, and a "
                    + "point with up to \(fractionDigitCountMax) more")
        }
        return (Array(whole.drop { $0 == 0 }), Array(fraction.reversed().drop { $0 == 0 }.reversed()))
    }

    private static func numbers(_ text: some StringProtocol) -> [Int]? {
        var numbers: [Int] = []
        for byte in text.utf8 {
            guard 0x30...0x39 ~= byte else { return nil }
            numbers.append(Int(byte) - 0x30)
        }
        return numbers
    }

    // MARK: Chinese

    private static let chineseUnits: [(value: Int64, name: String)] = [
        (100_000_000, "hundred-million"), (10_000, "ten-thousand"),
    ]

    private static func chinese(_ whole: [Int]) -> [String] {
        chinese(whole.reduce(Int64(0)) { $0 * 10 + Int64($1) }, isFirst: true)
    }

    /// What is above 亿, then above 万, then the last four digits; 零 where the places between them are skipped.
    private static func chinese(_ number: Int64, isFirst: Bool) -> [String] {
        for (value, name) in chineseUnits where number >= value {
            let (above, rest) = number.quotientAndRemainder(dividingBy: value)
            let head = above == 2 ? ["pair"] : chinese(above, isFirst: isFirst)
            if rest == 0 { return head + [name] }
            return head + [name] + (rest < value / 10 ? ["zero"] : []) + chinese(rest, isFirst: false)
        }
        return fourDigits(Int(number), isFirst: isFirst)
    }

    private static func fourDigits(_ number: Int, isFirst: Bool) -> [String] {
        var pieces: [String] = []
        var isZeroDue = false
        for (value, unit) in [(1000, "thousand"), (100, "hundred"), (10, "ten"), (1, "")] {
            let digit = number / value % 10
            guard digit > 0 else {
                isZeroDue = !pieces.isEmpty
                continue
            }
            if isZeroDue { pieces.append("zero") }
            isZeroDue = false
            // 十 at the very beginning has no 一 before it; 两 stands before 百 and 千, 二 elsewhere.
            if value != 10 || digit != 1 || !isFirst || !pieces.isEmpty {
                pieces.append(digit == 2 && value >= 100 ? "pair" : digits[digit])
            }
            if !unit.isEmpty { pieces.append(unit) }
        }
        return pieces.isEmpty ? ["zero"] : pieces
    }

    // MARK: English

    private static let groups = ["", "thousand", "million", "billion", "trillion"]

    private static func english(_ whole: [Int]) -> [String] {
        guard !whole.isEmpty else { return ["zero"] }
        let padded = [Int](repeating: 0, count: (3 - whole.count % 3) % 3) + whole
        var pieces: [String] = []
        for start in stride(from: 0, to: padded.count, by: 3) {
            let (hundreds, rest) = (padded[start], padded[start + 1] * 10 + padded[start + 2])
            guard hundreds > 0 || rest > 0 else { continue }
            if hundreds > 0 { pieces += [digits[hundreds], "hundred"] }
            let isLast = start + 3 == padded.count
            if rest > 0, hundreds > 0 || (isLast && !pieces.isEmpty) { pieces.append("and") }
            switch rest {
            case 0: break
            case 1...9: pieces.append(digits[rest])
            case 10...19: pieces.append(teens[rest - 10])
            default: pieces += [tens[rest / 10]] + (rest % 10 > 0 ? [digits[rest % 10]] : [])
            }
            let group = groups[(padded.count - start) / 3 - 1]
            if !group.isEmpty { pieces.append(group) }
        }
        return pieces
    }
}
