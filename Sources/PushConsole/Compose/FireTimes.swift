internal import PushStore
internal import Recurrence

/// The next times a schedule fires, zone by zone.
struct FireTimes: Sendable {
    /// How many are shown.
    static let count = 10
    /// The zones shown for what floats with the device.
    static let zones = ["Asia/Shanghai", "Europe/London", "America/New_York"]

    struct Column: Sendable {
        var zone: String
        var occurrences: [Occurrence]
    }

    let columns: [Column]

    /// Finds the times of a schedule after a time.
    ///
    /// - Throws: `invalid` for a rule or zone that cannot be read.
    init(_ schedule: PushSchedule, createdAt: Instant, now: Instant) throws(StoreError) {
        let recurring = try RecurringPush(schedule, createdAt: createdAt)
        let names: [String] =
            switch schedule.zone {
            case .device: Self.zones
            case .named(let name): [name]
            }
        var columns: [Column] = []
        for name in names {
            guard let zone = try? Zone(name) else { continue }
            columns.append(
                Column(
                    zone: name,
                    occurrences: Array(recurring.occurrences(after: now, in: zone).prefix(Self.count))))
        }
        self.columns = columns
    }

    /// The times as a table, a column for each zone.
    ///
    /// - Parameter name: what they are the times of, where several tables stand on a page.
    func rendered(_ visit: Visit, of name: String? = nil) -> Node {
        let rowCount = columns.map(\.occurrences.count).max() ?? 0
        guard rowCount > 0 else { return p(.class("muted")) { visit(.neverFires) } }
        if columns.count == 1 {
            return div(.class("stack")) {
                p(.class("muted")) { "\(visit(.nextTimes)) · \(columns[0].zone)" }
                ul(.class("times-list"), .aria("label", visit(.nextTimes))) {
                    for occurrence in columns[0].occurrences { li { cell(occurrence, visit) } }
                }
            }
        }
        return div(
            .class("scroll"), .tabindex(0), .role("region"),
            .aria("label", [visit(.nextTimes), name].compactMap(\.self).joined(separator: ": "))
        ) {
            table(.class("times")) {
                caption { visit(.nextTimes) }
                thead {
                    tr { for column in columns { th(.scope("col")) { column.zone } } }
                }
                tbody {
                    for row in 0..<rowCount {
                        tr {
                            for column in columns {
                                td {
                                    if row < column.occurrences.count {
                                        cell(column.occurrences[row], visit)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private func cell(_ occurrence: Occurrence, _ visit: Visit) -> [Node] {
        let local = occurrence.local
        var nodes: [Node] = [
            timeElement(.datetime(occurrence.instant.iso8601WholeSeconds), .data("plain", "1")) {
                "\(visit(WeekdayText.short(local.date.weekday))) \(local.date) \(local.time.description.prefix(5))"
            }
        ]
        // The instant, so that zones can be compared.
        let utc = occurrence.instant.iso8601WholeSeconds.dropFirst(11).prefix(5)
        nodes.append(small(.class("utc")) { "\(utc) UTC" })
        if let note = occurrence.note {
            nodes.append(small(.class("note")) { OccurrenceText.text(note, visit) })
        }
        return nodes
    }
}

/// What daylight saving does to a time, in the console's languages.
enum OccurrenceText {
    static func text(_ note: Occurrence.Note, _ visit: Visit) -> String {
        switch note {
        case .skipped(let civil, let other) where civil.date == other.date:
            visit(.timeSkipped, clock(civil), clock(other))
        case .skipped(let civil, let other):
            visit(.timeSkippedToDay, "\(civil.date) \(clock(civil))", "\(other.date) \(clock(other))")
        case .repeated(let repetition): visit(repetition == .first ? .timeTwiceFirst : .timeTwiceSecond)
        }
    }

    private static func clock(_ civil: CivilDateTime) -> String {
        String(civil.time.description.prefix(5))
    }
}

/// What days of the week are called.
enum WeekdayText {
    static func short(_ day: Weekday) -> Phrase {
        switch day {
        case .monday: .monday
        case .tuesday: .tuesday
        case .wednesday: .wednesday
        case .thursday: .thursday
        case .friday: .friday
        case .saturday: .saturday
        case .sunday: .sunday
        }
    }
}
