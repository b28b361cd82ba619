extension Instant {
    /// The instant in UTC as LeanCloud's and Parse's objects carry it: `2027-03-12T14:00:00.000Z`.
    public var iso8601: String {
        let seconds = secondsSince1970
        let milliseconds = millisecondsSince1970 - seconds * 1000
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = Int(seconds - days * 86_400)
        let (year, month, day) = CivilDate(daysSince1970: Int(days)).components
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ number: Int, digits: Int, before separator: UInt8) {
            var scale = 1
            for _ in 1..<digits { scale *= 10 }
            while scale > 0 {
                text.append(UInt8(48 + number / scale % 10))
                scale /= 10
            }
            text.append(separator)
        }
        append(max(0, year), digits: 4, before: 0x2d)
        append(month, digits: 2, before: 0x2d)
        append(day, digits: 2, before: 0x54)
        append(second / 3600, digits: 2, before: 0x3a)
        append(second / 60 % 60, digits: 2, before: 0x3a)
        append(second % 60, digits: 2, before: 0x2e)
        append(Int(milliseconds), digits: 3, before: 0x5a)
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a time with its offset: `2027-03-12T14:00:00Z`, with or without a fraction, or `±HH:MM` for `Z`.
    ///
    /// A fraction is cut to milliseconds. A text without an offset is no instant and gives nil, and so does
    /// anything that is not exactly such a text.
    public init?(iso8601 text: String) {
        var reader = DigitReader(text)
        guard let year = reader.number(digits: 4), reader.skip(0x2d), let month = reader.number(digits: 2),
            reader.skip(0x2d), let day = reader.number(digits: 2),
            reader.skip(0x54) || reader.skip(0x74) || reader.skip(0x20),
            let hour = reader.number(digits: 2), hour < 24, reader.skip(0x3a),
            let minute = reader.number(digits: 2), minute < 60, reader.skip(0x3a),
            let second = reader.number(digits: 2), second <= 60,
            let date = CivilDate(year: year, month: month, day: day)
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
