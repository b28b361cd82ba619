/// A point in time as people give it: an instant, a time on a wall clock, or a whole day.
public enum Moment: Hashable, Sendable, CustomStringConvertible {
    /// The same everywhere.
    case instant(Instant)
    /// What a clock shows, in whatever zone the schedule is evaluated.
    case civil(CivilDateTime)
    /// A day of the calendar: from its midnight as a start, to its end as an end, all of it as an exclusion.
    case date(CivilDate)

    /// The forms that are read, for error messages.
    public static let allowed =
        "2027-03-12T14:00:00Z (an instant), 2027-03-12T09:00 (local) or 2027-03-12 (a day)"

    /// Reads ISO 8601 (`2027-03-12T14:00:00Z`, `2027-03-12T09:00`, `2027-03-12`) or RFC 5545 (`20270312T140000Z`,
    /// `20270312T090000`, `20270312`).
    public init?(_ text: String) {
        if let instant = Instant(iso8601: text) {
            self = .instant(instant)
        } else if let civil = CivilDateTime(iso8601: text) {
            self = .civil(civil)
        } else if let date = CivilDate(iso8601: text) {
            self = .date(date)
        } else {
            self.init(compact: text)
        }
    }

    /// Reads RFC 5545's forms only.
    init?(compact text: some StringProtocol) {
        var reader = DigitReader(text)
        guard let date = reader.date(isCompact: true) else { return nil }
        if reader.isAtEnd {
            self = .date(date)
            return
        }
        guard reader.skip(0x54) || reader.skip(0x74), let time = reader.time(isCompact: true) else {
            return nil
        }
        let civil = CivilDateTime(date, time)
        let isUTC = reader.skip(0x5a) || reader.skip(0x7a)
        guard reader.isAtEnd else { return nil }
        self = isUTC ? .instant(Instant(secondsSince1970: Int64(civil.civilSeconds))) : .civil(civil)
    }

    /// RFC 5545's form; a fraction of a second is cut.
    public var compactText: String {
        let (text, suffix) =
            switch self {
            case .instant(let instant):
                (CivilDateTime(civilSeconds: Int(instant.secondsSince1970)).iso8601, "Z")
            case .civil(let civil): (civil.iso8601, "")
            case .date(let date): (date.iso8601, "")
            }
        return text.filter { $0 != "-" && $0 != ":" } + suffix
    }

    /// ISO 8601.
    public var description: String {
        switch self {
        case .instant(let instant): instant.iso8601
        case .civil(let civil): civil.iso8601
        case .date(let date): date.iso8601
        }
    }

    /// The civil time that it is, or begins with; an instant's in UTC.
    var civilStart: CivilDateTime {
        switch self {
        case .instant(let instant): CivilDateTime(civilSeconds: Int(instant.secondsSince1970))
        case .civil(let civil): civil
        case .date(let date): CivilDateTime(date)
        }
    }
}
