import BelfryKit
import Testing

struct SpokenAmountTests {
    private static let characters = [
        "zero": "零", "one": "一", "two": "二", "pair": "两", "three": "三", "four": "四", "five": "五", "six": "六",
        "seven": "七", "eight": "八", "nine": "九", "ten": "十", "hundred": "百", "thousand": "千",
        "ten-thousand": "万", "hundred-million": "亿", "point": "点",
    ]

    @Test(arguments: [
        ("0", "零"), ("1", "一"), ("2", "二"), ("10", "十"), ("12", "十二"), ("20", "二十"), ("22", "二十二"),
        ("100", "一百"), ("101", "一百零一"), ("110", "一百一十"), ("200", "两百"), ("222", "两百二十二"), ("1000", "一千"),
        ("1001", "一千零一"), ("1010", "一千零一十"), ("1100", "一千一百"), ("2002", "两千零二"), ("10000", "一万"),
        ("10001", "一万零一"), ("10010", "一万零一十"), ("10100", "一万零一百"), ("11000", "一万一千"),
        ("20000", "两万"), ("120000", "十二万"), ("220000", "二十二万"), ("1000000", "一百万"),
        ("10000000", "一千万"), ("100000000", "一亿"), ("100000001", "一亿零一"), ("200000000", "两亿"),
        ("110000000", "一亿一千万"), ("100010000", "一亿零一万"), ("1000000000000", "一万亿"),
        ("123456789", "一亿两千三百四十五万六千七百八十九"), ("1,280.50", "一千两百八十点五"), ("0.05", "零点零五"),
        ("12.00", "十二"), ("007", "七"),
    ])
    func `amounts are read in Chinese`(amount: String, text: String) throws {
        let pieces = try SpokenAmount.pieces(amount, in: .chinese)
        #expect(pieces.map { Self.characters[$0] ?? "?" }.joined() == text)
    }

    @Test(arguments: [
        ("0", "zero"), ("7", "seven"), ("15", "fifteen"), ("20", "twenty"), ("42", "forty two"),
        ("100", "one hundred"),
        ("101", "one hundred and one"), ("1000", "one thousand"), ("1001", "one thousand and one"),
        ("1280.50", "one thousand two hundred and eighty point five"),
        ("1000000", "one million"), ("1,000,001", "one million and one"),
        ("12345678", "twelve million three hundred and forty five thousand six hundred and seventy eight"),
        ("0.25", "zero point two five"), ("3000000000", "three billion"),
    ])
    func `amounts are read in English`(amount: String, text: String) throws {
        #expect(try SpokenAmount.pieces(amount, in: .english).joined(separator: " ") == text)
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "-1", "+1", "1e3", "1.2.3", "1,2", "1,2345", ",123", "１２", "12 ",
        "1234567890123456",
        "1.1234567", "NaN",
    ])
    func `what is no amount is refused in both languages`(amount: String) {
        for language in SpokenAmount.Language.allCases {
            #expect(throws: BelfryKitError.self) { try SpokenAmount.pieces(amount, in: language) }
        }
    }

    /// The value of what is said, by adding and multiplying: not how it was made.
    private func value(_ pieces: [String]) -> Int {
        let words = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
        let tens = [
            "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
        ]
        let big = [
            "ten-thousand": 10_000, "hundred-million": 100_000_000, "million": 1_000_000,
            "billion": 1_000_000_000,
        ]
        let isChinese = pieces.contains { ["ten-thousand", "hundred-million", "ten", "pair"].contains($0) }
        var total = 0
        var section = 0
        var digit = 0
        for piece in pieces {
            if let factor = big[piece] ?? (isChinese || piece != "thousand" ? nil : 1000) {
                let part = section + digit
                total = factor == 100_000_000 ? (total + part) * factor : total + part * factor
                section = 0
                digit = 0
            } else if let factor = ["ten": isChinese ? 10 : nil, "hundred": 100, "thousand": 1000][piece]
                ?? nil
            {
                section += max(digit, digit == 0 && piece == "ten" ? 1 : digit) * factor
                digit = 0
            } else if piece == "pair" {
                digit = 2
            } else if piece == "ninety" || tens[piece] != nil {
                section += tens[piece] ?? 90
            } else if let number = words.firstIndex(of: piece) {
                digit = number
            }
        }
        return total + section + digit
    }

    @Test(arguments: SpokenAmount.Language.allCases)
    func `what is said has the value of the digits`(language: SpokenAmount.Language) throws {
        var numbers = Array(0...11_000)
        var seed: UInt64 = 7
        for _ in 0..<20_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let digitCount = Int(seed >> 60) % 11 + 1
            numbers.append(Int(seed >> 20) % (0..<digitCount).reduce(1) { value, _ in value * 10 })
        }
        var wrong: [Int] = []
        for number in numbers where number < 100_000_000_000 {
            // English "ten" alone looks like Chinese.
            let pieces = try SpokenAmount.pieces(String(number), in: language)
            if language == .english, pieces.contains("ten") { continue }
            if value(pieces) != number { wrong.append(number) }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(10))")
    }
}
