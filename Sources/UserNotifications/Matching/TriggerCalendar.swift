internal import Foundation

/// The calendar that a trigger's numbers are counted in.
///
/// All are the Gregorian calendar with other years; a trigger in any other calendar never fires, and says so.
package enum TriggerCalendar: String, Hashable, Sendable, Codable {
    case gregorian, iso8601, buddhist, japanese, republicOfChina
    /// Hebrew, Islamic, Chinese and others.
    case other

    init(_ identifier: Calendar.Identifier) {
        self =
            switch identifier {
            case .gregorian: .gregorian
            case .iso8601: .iso8601
            case .buddhist: .buddhist
            case .japanese: .japanese
            case .republicOfChina: .republicOfChina
            default: .other
            }
    }

    /// The calendar of Foundation that has these numbers; nil for others.
    var identifier: Calendar.Identifier? {
        switch self {
        case .gregorian: .gregorian
        case .iso8601: .iso8601
        case .buddhist: .buddhist
        case .japanese: .japanese
        case .republicOfChina: .republicOfChina
        case .other: nil
        }
    }

    /// First Gregorian years of the Japanese eras that ICU numbers 232 (Meiji) to 236 (Reiwa).
    private static let japaneseEras = [232: 1868, 233: 1912, 234: 1926, 235: 1989, 236: 2019]

    /// The Gregorian year of a year of this calendar; nil when it has none, or none after Christ.
    func gregorianYear(_ year: Int, era: Int?) -> Int? {
        // Far-off years would overflow, and no clock reaches them.
        guard (-1_000_000...1_000_000).contains(year) else { return nil }
        switch self {
        case .gregorian, .iso8601: return era == nil || era == 1 ? year : nil
        case .buddhist: return era == nil || era == 0 ? year - 543 : nil
        case .republicOfChina: return era == nil || era == 1 ? year + 1911 : nil
        case .japanese: return Self.japaneseEras[era ?? 236].map { $0 + year - 1 }
        case .other: return nil
        }
    }
}
