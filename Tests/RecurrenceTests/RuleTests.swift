internal import Recurrence
internal import Testing

struct RuleTests {
    @Test(arguments: [
        ("FREQ=DAILY", "FREQ=DAILY"), ("rrule:freq=daily;interval=1;", "FREQ=DAILY"),
        (" BYHOUR=18,9,9;FREQ=WEEKLY;WKST=MO;BYDAY=fr,mo ", "FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=9,18"),
        ("FREQ=MONTHLY;BYDAY=+2TU,-1FR,MO;WKST=SU", "FREQ=MONTHLY;BYDAY=-1FR,MO,2TU;WKST=SU"),
        ("FREQ=YEARLY;BYMONTHDAY=31,-1;BYMONTH=12,1", "FREQ=YEARLY;BYMONTH=1,12;BYMONTHDAY=-1,31"),
        ("FREQ=DAILY;UNTIL=20270312T140000Z", "FREQ=DAILY;UNTIL=20270312T140000Z"),
        ("FREQ=DAILY;UNTIL=20270312", "FREQ=DAILY;UNTIL=20270312"),
        ("FREQ=HOURLY;UNTIL=20270312T090000;INTERVAL=2", "FREQ=HOURLY;INTERVAL=2;UNTIL=20270312T090000"),
        ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=3", "FREQ=MONTHLY;COUNT=3;BYDAY=MO,TU;BYSETPOS=-1"),
        ("X-WINDOW=2200-0600/90;FREQ=DAILY", "FREQ=DAILY;X-WINDOW=2200-0600/90"),
    ])
    func `a rule has one text, and that reads as the same rule`(_ text: String, _ canonical: String) throws {
        let rule = try Rule(text)
        #expect(rule.text == canonical)
        #expect(try Rule(canonical) == rule)
    }

    @Test(arguments: [
        ("", RecurrenceError.Code.missingPart, "rule"), (";", .missingPart, "rule"),
        ("RRULE:", .missingPart, "rule"),
        ("BYHOUR=9", .missingPart, "FREQ"), ("FREQ=FORTNIGHTLY", .invalidValue, "FREQ"),
        ("FREQ=SECONDLY", .unsupported, "FREQ"), ("FREQ=YEARLY;BYWEEKNO=3", .unsupported, "rule"),
        ("FREQ=YEARLY;BYYEARDAY=3", .unsupported, "rule"), ("FREQ=DAILY;BYHOURS=9", .unknownPart, "rule"),
        ("FREQ=DAILY;BYHOUR", .invalidValue, "rule"), ("FREQ=DAILY;BYHOUR=", .invalidValue, "BYHOUR"),
        ("FREQ=DAILY;BYHOUR=9,", .invalidValue, "BYHOUR"), ("FREQ=DAILY;BYHOUR=24", .invalidValue, "BYHOUR"),
        ("FREQ=DAILY;BYHOUR=nine", .invalidValue, "BYHOUR"),
        ("FREQ=DAILY;BYHOUR=-1", .invalidValue, "BYHOUR"),
        ("FREQ=DAILY;BYMINUTE=60", .invalidValue, "BYMINUTE"),
        ("FREQ=DAILY;BYSECOND=60", .invalidValue, "BYSECOND"),
        ("FREQ=DAILY;BYHOUR=9;BYHOUR=10", .repeatedPart, "BYHOUR"),
        ("FREQ=DAILY;FREQ=DAILY", .repeatedPart, "FREQ"),
        ("FREQ=DAILY;INTERVAL=0", .invalidValue, "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=-2", .invalidValue, "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=99999999999999999999", .invalidValue, "INTERVAL"),
        ("FREQ=DAILY;COUNT=0", .invalidValue, "COUNT"), ("FREQ=DAILY;COUNT=1000001", .invalidValue, "COUNT"),
        ("FREQ=DAILY;COUNT=2;UNTIL=20270312", .contradiction, "UNTIL"),
        ("FREQ=DAILY;UNTIL=2027-03-12", .invalidValue, "UNTIL"),
        ("FREQ=DAILY;UNTIL=20270230", .invalidValue, "UNTIL"),
        ("FREQ=DAILY;UNTIL=20270312T250000Z", .invalidValue, "UNTIL"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", .invalidValue, "BYMONTHDAY"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", .invalidValue, "BYMONTHDAY"),
        ("FREQ=YEARLY;BYMONTH=13", .invalidValue, "BYMONTH"),
        ("FREQ=WEEKLY;BYDAY=XX", .invalidValue, "BYDAY"),
        ("FREQ=WEEKLY;BYDAY=0MO", .invalidValue, "BYDAY"),
        ("FREQ=WEEKLY;BYDAY=2MO", .contradiction, "BYDAY"),
        ("FREQ=MONTHLY;BYDAY=0MO", .invalidValue, "BYDAY"),
        ("FREQ=MONTHLY;BYDAY=6MO", .invalidValue, "BYDAY"),
        ("FREQ=YEARLY;BYDAY=54MO", .invalidValue, "BYDAY"),
        ("FREQ=MONTHLY;BYDAY=-MO", .invalidValue, "BYDAY"),
        ("FREQ=WEEKLY;BYMONTHDAY=3", .contradiction, "BYMONTHDAY"),
        ("FREQ=DAILY;BYSETPOS=1", .contradiction, "BYSETPOS"),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", .invalidValue, "BYSETPOS"),
        ("FREQ=WEEKLY;WKST=1", .invalidValue, "WKST"),
        ("FREQ=HOURLY;X-WINDOW=0800-2000/60", .contradiction, "X-WINDOW"),
        ("FREQ=DAILY;BYHOUR=9;X-WINDOW=0800-2000/60", .contradiction, "X-WINDOW"),
        ("FREQ=DAILY;X-WINDOW=0800-2400/60", .invalidValue, "X-WINDOW"),
        ("FREQ=DAILY;X-WINDOW=0800-2000/0", .invalidValue, "window step"),
        ("FREQ=DAILY;X-WINDOW=0800/60", .invalidValue, "X-WINDOW"),
        ("FREQ=DAILY;BYDAY=É", .invalidValue, "BYDAY"),
    ])
    func `a wrong rule is refused with the part and what is allowed`(
        _ text: String, _ code: RecurrenceError.Code, _ field: String
    ) {
        let error = #expect(throws: RecurrenceError.self) { try Rule(text) }
        #expect(error?.code == code, "\(error?.message ?? "")")
        #expect(error?.field == field, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix(field) == true)
    }

    @Test func `a text without end is refused, not read`() {
        let long = "FREQ=DAILY;BYHOUR=" + Array(repeating: "9", count: 5000).joined(separator: ",")
        #expect(throws: RecurrenceError.self) { try Rule(long) }
        let error = #expect(throws: RecurrenceError.self) {
            try Rule("FREQ=" + String(repeating: "X", count: 3000))
        }
        #expect((error?.message.utf8.count ?? 0) < 200)
    }

    @Test func `texts cut and mixed at random are read or refused, never worse`() {
        var random = SeededGenerator(seed: 20_270_312)
        let parts = [
            "FREQ=", "DAILY", "MONTHLY", "MINUTELY", ";", ";", "=", ",", "-", "INTERVAL=", "BYDAY=", "2TU",
            "MO", "BYHOUR=",
            "9", "31", "COUNT=", "UNTIL=", "20270312", "T090000", "Z", "BYSETPOS=", "X-WINDOW=",
            "0800-2000/60", "é", "\u{0}",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }
            .joined()
            guard let rule = try? Rule(text) else { continue }
            #expect((try? Rule(rule.text)) == rule, "\(text)")
        }
    }
}
