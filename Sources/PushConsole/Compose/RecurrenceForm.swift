internal import APNs
internal import Recurrence

/// The part of the form that says when a push is sent again and again.
struct RecurrenceForm: Sendable {
    enum Frequency: String, CaseIterable, Sendable {
        case daily, weekly, monthly, custom

        var phrase: Phrase {
            switch self {
            case .daily: .daily
            case .weekly: .weekly
            case .monthly: .monthly
            case .custom: .customRule
            }
        }
    }

    var frequency = Frequency.daily
    /// Days of the week by their two letters of RFC 5545.
    var days: Set<String> = []
    var monthDay = "1"
    /// `09:00`.
    var timeOfDay = "09:00"
    var rule = ""
    /// Empty for each device's own clock, otherwise a zone's name.
    var zone = ""
    var until = ""

    init() {}

    init(_ form: FormFields) {
        frequency = Frequency(rawValue: form["frequency"]) ?? .daily
        days = Set(form.all("day").filter { Weekday(code: $0) != nil })
        monthDay = form.trimmed("month-day")
        timeOfDay = form.trimmed("time-of-day")
        rule = form.trimmed("rule")
        zone = form.trimmed("schedule-zone")
        until = form.trimmed("until")
    }

    /// The rule in RFC 5545's syntax.
    func text() throws(ConsoleRefusal) -> String {
        if frequency == .custom {
            guard !rule.isEmpty else { throw ConsoleRefusal(400, .ruleMissing) }
            return rule
        }
        guard let time = TimeOfDay(timeOfDay) else { throw ConsoleRefusal(400, .badTime) }
        let at = "BYHOUR=\(time.hour);BYMINUTE=\(time.minute)"
        switch frequency {
        case .weekly:
            guard !days.isEmpty else { throw ConsoleRefusal(400, .daysMissing) }
            let codes = Weekday.allCases.map(\.code).filter(days.contains).joined(separator: ",")
            return "FREQ=WEEKLY;BYDAY=\(codes);\(at)"
        case .monthly:
            guard let day = Int(monthDay), (1...31).contains(day) || day == -1 else {
                throw ConsoleRefusal(400, .badMonthDay)
            }
            return "FREQ=MONTHLY;BYMONTHDAY=\(day);\(at)"
        default: return "FREQ=DAILY;\(at)"
        }
    }

    /// The member `schedule` of a request.
    func json() throws(ConsoleRefusal) -> JSONValue {
        var members: [String: JSONValue] = [
            "rrule": .string(try text()), "timezone": .string(zone.isEmpty ? "device" : zone),
        ]
        if !until.isEmpty {
            guard let date = CivilDate(iso8601: until) else { throw ConsoleRefusal(400, .badTime) }
            members["until"] = .string(
                CivilDateTime(date, TimeOfDay(hour: 23, minute: 59) ?? .midnight).iso8601)
        }
        return .object(members)
    }
}
