/// About how many installations a push would reach, from a look at some of them.
public enum AudienceEstimate: Sendable, Hashable {
    /// There are so few that all can be counted as quickly.
    case countable
    /// Too few of those looked at matched to tell.
    case unclear
    /// About so many, in two digits.
    case about(Int)
}

/// Which rows an estimate looks at: short stretches of row numbers, spread evenly over all of them.
///
/// Stretches rather than single rows, since a page of the table has several; many of them, since rows that came
/// together are alike.
struct AudienceSample {
    /// How many stretches there are.
    static let stretchCount: Int64 = 64
    /// How many row numbers a stretch has.
    static let stretchLength: Int64 = 400
    /// With fewer row numbers all are counted: it takes little longer.
    static let numberMin: Int64 = 40_000
    /// How many matches are enough to tell.
    static let matchCountMin = 100

    /// The highest row number.
    let last: Int64

    /// Nil for what can be counted as well.
    init?(last: Int64) {
        guard last >= Self.numberMin else { return nil }
        self.last = last
    }

    var stretches: [ClosedRange<Int64>] {
        (0..<Self.stretchCount).map { index in
            let first = index * (last / Self.stretchCount) + 1
            return first...(first + Self.stretchLength - 1)
        }
    }

    /// What a number of matches in all stretches says of the whole.
    func estimate(matchCount: Int) -> AudienceEstimate {
        guard matchCount >= Self.matchCountMin else { return .unclear }
        let share = Double(last) / Double(Self.stretchCount * Self.stretchLength)
        return .about(Self.rounded(Int(Double(matchCount) * share)))
    }

    /// Two digits are as many as an estimate has.
    static func rounded(_ count: Int) -> Int {
        var unit = 1
        while count / unit >= 100 { unit *= 10 }
        return (count + unit / 2) / unit * unit
    }
}
