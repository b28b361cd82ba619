internal import Recurrence

/// Ids of new objects: 24 lower-case hexadecimal digits, as LeanCloud's.
enum ObjectID {
    /// A new id: the seconds since 1970, so that new ids are near each other in an index, and 64 random bits.
    static func make(now: Instant) -> String {
        var generator = SystemRandomNumberGenerator()
        return digits(UInt64(UInt32(truncatingIfNeeded: now.secondsSince1970)), count: 8)
            + digits(generator.next(), count: 16)
    }

    private static func digits(_ number: UInt64, count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: count - text.utf8.count) + text
    }
}
