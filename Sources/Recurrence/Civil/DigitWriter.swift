/// Writes numbers of a fixed width and single characters to the end of a text.
struct DigitWriter {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(32) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func write(_ number: Int, digits: Int) {
        var scale = 1
        for _ in 1..<digits { scale *= 10 }
        while scale > 0 {
            bytes.append(UInt8(48 + number / scale % 10))
            scale /= 10
        }
    }

    mutating func write(_ character: Unicode.Scalar) {
        bytes.append(UInt8(ascii: character))
    }

    /// `2027-03-12`.
    mutating func write(_ date: CivilDate) {
        let (year, month, day) = date.components
        write(max(0, year), digits: 4)
        write("-")
        write(month, digits: 2)
        write("-")
        write(day, digits: 2)
    }

    /// `09:00:00`.
    mutating func write(_ time: TimeOfDay) {
        write(time.hour, digits: 2)
        write(":")
        write(time.minute, digits: 2)
        write(":")
        write(time.second, digits: 2)
    }

    /// `-05:00`; seconds, which only zones before 1972 have, are cut.
    mutating func write(offsetSeconds: Int) {
        write(offsetSeconds < 0 ? "-" : "+")
        write(abs(offsetSeconds) / 3600, digits: 2)
        write(":")
        write(abs(offsetSeconds) / 60 % 60, digits: 2)
    }
}
