import Testing

@testable import PushConsole

struct WordsTests {
    @Test(arguments: [
        ("", Language.english), ("zh-CN,zh;q=0.9,en;q=0.8", .chinese), ("en-US,en;q=0.9,zh;q=0.8", .english),
        ("fr-FR,fr;q=0.9,zh-TW;q=0.4", .chinese), ("de, ja", .english), ("en;q=0.1, zh;q=0.2", .chinese),
        (";;q=,,,=", .english), ("zh;q=0", .english),
    ])
    func `the browser chooses the language`(header: String, language: Language) {
        #expect(Language(accepting: header) == language)
    }

    @Test(arguments: [
        (0, "zero", "零"), (1, "one", "一"), (10, "ten", "十"), (15, "fifteen", "十五"), (20, "twenty", "二十"),
        (21, "twenty-one", "二十一"), (100, "one hundred", "一百"), (105, "one hundred and five", "一百零五"),
        (110, "one hundred and ten", "一百一十"), (1000, "one thousand", "一千"),
        (1001, "one thousand and one", "一千零一"),
        (1010, "one thousand and ten", "一千零一十"),
        (12_340, "twelve thousand three hundred and forty", "一万二千三百四十"),
        (100_000, "one hundred thousand", "十万"), (100_001, "one hundred thousand and one", "十万零一"),
        (1_000_000, "one million", "一百万"), (1_200_000, "one million two hundred thousand", "一百二十万"),
        (10_050_000, "ten million fifty thousand", "一千零五万"),
        (100_000_010, "one hundred million and ten", "一亿零一十"),
        (2_000_300_000, "two billion three hundred thousand", "二十亿零三十万"),
    ])
    func `numbers are said in words`(number: Int, english: String, chinese: String) {
        #expect(NumberText.words(number, in: .english) == english)
        #expect(NumberText.words(number, in: .chinese) == chinese)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1234, "-1,234"),
        (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func `thousands are set apart`(number: Int, text: String) {
        #expect(NumberText.grouped(number) == text)
    }

    @Test(arguments: [
        (0, 0, ""), (0, 5, "0%"), (1, 2, "50%"), (1, 3, "33.3%"), (999_999, 1_000_000, "99.9%"),
        (1, 1_000_000, "<0.1%"), (5, 5, "100%"),
    ])
    func `shares do not round to all or nothing`(part: Int, whole: Int, text: String) {
        #expect(NumberText.percent(part, of: whole) == text)
    }

    @Test func `values are put into phrases, whatever they look like`() {
        let phrase = Phrase("{0} of {1}|{0} of all {1}", "{1} 中的 {0}")
        #expect(phrase.text(in: .english, ["1", "2"], count: 1) == "1 of 2")
        #expect(phrase.text(in: .english, ["{1}", "x"], count: 2) == "{1} of all x")
        #expect(phrase.text(in: .chinese, ["1", "2"]) == "2 中的 1")
        #expect(Phrase("{9} {x} {", "").text(in: .english, ["a"]) == "{9} {x} {")
    }
}
