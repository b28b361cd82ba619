/// Numbers as people write and say them.
enum NumberText {
    /// With separators between thousands: `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// A share of a whole, with one digit after the point below ten: `3.2%`; empty without a whole.
    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "" }
        let tenths = (Double(part) * 1000 / Double(whole)).rounded()
        // What is not all is not shown as all, and what is something not as nothing.
        let shown = part < whole ? min(tenths, 999) : tenths
        if part > 0, shown < 1 { return "<0.1%" }
        let whole = Int(shown) / 10
        let rest = Int(shown) % 10
        return rest == 0 || whole >= 100 ? "\(whole)%" : "\(whole).\(rest)%"
    }

    /// In words: `one million two hundred thousand`, `一百二十万`.
    static func words(_ number: Int, in language: Language) -> String {
        switch language {
        case .english: english(number)
        case .chinese: chinese(number)
        }
    }

    // MARK: - English

    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = [
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]
    private static let powers: [(value: Int, name: String)] = [
        (1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"),
    ]

    private static func english(_ number: Int) -> String {
        guard number >= 0 else { return "minus " + english(-number) }
        if number < 20 { return small[number] }
        if number < 100 {
            return tens[number / 10] + (number % 10 == 0 ? "" : "-" + small[number % 10])
        }
        for power in powers where number >= power.value {
            let head = english(number / power.value) + " " + power.name
            let rest = number % power.value
            if rest == 0 { return head }
            return head + (rest < 100 ? " and " : " ") + english(rest)
        }
        return String(number)
    }

    // MARK: - Chinese

    private static let digits = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"]
    private static let places = ["", "十", "百", "千"]
    private static let myriads = ["", "万", "亿", "兆"]

    /// In groups of four digits; one zero stands for any run of zeros inside.
    private static func chinese(_ number: Int) -> String {
        guard number > 0 else { return number == 0 ? digits[0] : "负" + chinese(-number) }
        var groups: [Int] = []
        var rest = number
        while rest > 0 {
            groups.append(rest % 10_000)
            rest /= 10_000
        }
        guard groups.count <= myriads.count else { return grouped(number) }
        var text = ""
        var needsZero = false
        for (index, group) in groups.enumerated().reversed() {
            guard group > 0 else {
                needsZero = !text.isEmpty
                continue
            }
            if !text.isEmpty, needsZero || group < 1000 { text += digits[0] }
            needsZero = false
            text += chineseGroup(group) + myriads[index]
        }
        return text.hasPrefix("一十") ? String(text.dropFirst()) : text
    }

    private static func chineseGroup(_ group: Int) -> String {
        var text = ""
        var needsZero = false
        for place in places.indices.reversed() {
            let digit = group / [1, 10, 100, 1000][place] % 10
            guard digit > 0 else {
                needsZero = !text.isEmpty
                continue
            }
            if needsZero { text += digits[0] }
            needsZero = false
            text += digits[digit] + places[place]
        }
        return text
    }
}
