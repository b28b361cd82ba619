/// What makes a notification appear: the value behind a trigger object.
package enum TriggerRecord: Hashable, Sendable, Codable {
    case push
    case interval(seconds: Double, repeats: Bool)
    case calendar(CalendarMatch, repeats: Bool)
    case location(RegionRecord, repeats: Bool)

    package var repeats: Bool {
        switch self {
        case .push: false
        case .interval(_, let repeats), .calendar(_, let repeats), .location(_, let repeats): repeats
        }
    }
}
