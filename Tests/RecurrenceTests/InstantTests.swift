internal import Recurrence
internal import Testing

struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", 0),
        ("2027-03-12T14:00:00.000Z", 1_804_860_000_000),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T12:30:15.250Z", 951_827_415_250),
    ])
    func `an instant is written and read as LeanCloud writes dates`(text: String, milliseconds: Int64) {
        #expect(Instant(millisecondsSince1970: milliseconds).iso8601 == text)
        #expect(Instant(iso8601: text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(
        arguments: [
            (.min, "0000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "0000-01-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "9999-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func `an instant that four digits of a year do not reach is written as the nearest one`(
        milliseconds: Int64, text: String
    ) {
        #expect(Instant(millisecondsSince1970: milliseconds).iso8601 == text)
    }

    @Test(
        arguments: [(.min, -9_223_372_036_854_776), (-1, -1), (-1000, -1), (-1001, -2), (999, 0)]
            as [(Int64, Int64)])
    func `seconds are rounded down, however far away`(milliseconds: Int64, seconds: Int64) {
        #expect(Instant(millisecondsSince1970: milliseconds).secondsSince1970 == seconds)
    }

    @Test(arguments: [
        ("2027-03-12T09:00:00-05:00", 1_804_860_000_000), ("2027-03-12T14:00:00Z", 1_804_860_000_000),
        ("2027-03-12 14:00:00.1239Z", 1_804_860_000_123), ("2027-03-12T14:00:00+0000", 1_804_860_000_000),
    ])
    func `an offset and a fraction of any length are read`(text: String, milliseconds: Int64) {
        #expect(Instant(iso8601: text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(arguments: [
        "", "2027-03-12", "2027-03-12T14:00:00", "2027-02-29T00:00:00Z", "2027-3-12T14:00:00Z",
        "2027-03-12T24:00:00Z", "2027-03-12T14:00:00Z ", "2027-03-12T14:00:00.Z", "2027-03-12T14:00:00+5",
    ])
    func `a text that is no time with an offset is refused`(text: String) {
        #expect(Instant(iso8601: text) == nil)
    }
}
