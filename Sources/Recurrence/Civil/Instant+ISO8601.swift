extension Instant {
    /// The instants that ISO 8601 writes with four digits of a year: from the year 0 to the end of 9999.
    public static let iso8601Range =
        Instant(
            millisecondsSince1970: -62_167_219_200_000)...Instant(
            millisecondsSince1970: 253_402_300_799_999)

    /// The instant in UTC as LeanCloud's and Parse's objects carry it: `2027-03-12T14:00:00.000Z`.
    ///
    /// Outside of ``iso8601Range`` it is the nearest instant inside.
    public var iso8601: String {
        var writer = DigitWriter()
        writeWholeSeconds(to: &writer)
        writer.write(".")
        writer.write(Int(written.millisecondsSince1970.modulo(1000)), digits: 3)
        writer.write("Z")
        return writer.text
    }

    /// The instant in UTC without its fraction: `2027-03-12T14:00:00Z`.
    public var iso8601WholeSeconds: String {
        var writer = DigitWriter()
        writeWholeSeconds(to: &writer)
        writer.write("Z")
        return writer.text
    }

    private var written: Instant {
        min(max(self, Instant.iso8601Range.lowerBound), Instant.iso8601Range.upperBound)
    }

    private func writeWholeSeconds(to writer: inout DigitWriter) {
        let civil = CivilDateTime(civilSeconds: Int(written.secondsSince1970))
        writer.write(civil.date)
        writer.write("T")
        writer.write(civil.time)
    }

    /// Reads a time with its offset: `2027-03-12T14:00:00Z`, with or without a fraction, or `±HH:MM` for `Z`.
    ///
    /// A fraction is cut to milliseconds. A text without an offset is no instant and gives nil, and so does
    /// anything that is not exactly such a text.
    public init?(iso8601 text: String) {
        var reader = DigitReader(text)
        guard let date = reader.date(),
            reader.skip(0x54) || reader.skip(0x74) || reader.skip(0x20),
            let hour = reader.number(digits: 2), hour < 24, reader.skip(0x3a),
            let minute = reader.number(digits: 2), minute < 60, reader.skip(0x3a),
            let second = reader.number(digits: 2), second <= 60
        else { return nil }
        var milliseconds = 0
        if reader.skip(0x2e) {
            guard let fraction = reader.fractionInMilliseconds() else { return nil }
            milliseconds = fraction
        }
        var offsetSeconds = 0
        if !reader.skip(0x5a), !reader.skip(0x7a) {
            let isWest = reader.skip(0x2d)
            guard isWest || reader.skip(0x2b), let hours = reader.number(digits: 2), hours < 24 else {
                return nil
            }
            _ = reader.skip(0x3a)
            guard let minutes = reader.number(digits: 2), minutes < 60 else { return nil }
            offsetSeconds = (hours * 60 + minutes) * (isWest ? -60 : 60)
        }
        guard reader.isAtEnd else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offsetSeconds
        self.init(millisecondsSince1970: Int64(seconds) * 1000 + Int64(milliseconds))
    }
}
