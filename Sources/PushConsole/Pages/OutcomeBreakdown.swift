internal import PushStore

/// What became of a push's devices by environment, language and time zone, as small tables.
struct OutcomeBreakdown {
    let entry: DivisionShelf.Entry
    let visit: Visit

    /// How many rows each table has at most, beside those of all others and of what is gone.
    private static let rowCount = 8
    /// The longest name that is not broken, in characters: zones end before it.
    private static let wholeCount = 22

    var nodes: [Node] {
        let division = entry.division
        return [
            p(.class("muted")) { visit(.outcomesByLead) },
            entry.isWhole
                ? .none
                : p(.class("notice warn")) { visit(.outcomesOfSome, NumberText.grouped(seenCount)) },
            div(.class("halves")) {
                div(.class("stack")) {
                    part(
                        .environment,
                        division.environments.map {
                            ($0.key.map { EnvironmentText.text($0, visit) } ?? visit(.unknown), $0.value)
                        })
                    part(.languages, division.locales.map { ($0.key ?? visit(.unknown), $0.value) })
                }
                part(.zones, division.timeZones.map { ($0.key ?? visit(.unknown), $0.value) })
            },
        ]
    }

    private var seenCount: Int {
        entry.division.environments.values.reduce(entry.division.gone.deviceCount) { $0 + $1.deviceCount }
    }

    private func part(_ name: Phrase, _ items: [(String, OutcomeDivision.Counts)]) -> Node {
        let sorted = items.sorted { ($1.1.deviceCount, $0.0) < ($0.1.deviceCount, $1.0) }
        // One row of others would take the place of the one it stands for.
        let shown = sorted.count <= Self.rowCount + 1 ? sorted.count : Self.rowCount
        var rows = Array(sorted.prefix(shown))
        let rest = sorted.dropFirst(shown)
        if !rest.isEmpty {
            var counts = OutcomeDivision.Counts()
            for (_, other) in rest { counts.add(other) }
            rows.append((visit(.othersCount, count: rest.count), counts))
        }
        let gone = entry.division.gone
        if gone.deviceCount + gone.openedCount > 0 { rows.append((visit(.removedSince), gone)) }
        guard !rows.isEmpty else { return .none }
        return div(.class("scroll"), .tabindex(0), .role("region"), .aria("label", visit(name))) {
            table {
                caption { visit(name) }
                thead {
                    tr {
                        th(.scope("col")) { span(.class("sr-only")) { visit(name) } }
                        th(.scope("col"), .class("number")) { visit(.devices) }
                        th(.scope("col"), .class("number")) { visit(.accepted) }
                        th(.scope("col"), .class("number")) { visit(.failed) }
                        th(.scope("col"), .class("number")) { visit(.opened) }
                    }
                }
                tbody {
                    for (text, counts) in rows {
                        tr {
                            th(.scope("row"), .class(text.count > Self.wholeCount ? "long" : "")) { text }
                            td(.class("number")) { NumberText.grouped(counts.deviceCount) }
                            td(.class("number")) { number(counts.acceptedCount, of: counts.deviceCount) }
                            td(.class("number")) { number(counts.failedCount, of: counts.deviceCount) }
                            td(.class("number")) { number(counts.openedCount, of: counts.acceptedCount) }
                        }
                    }
                }
            }
        }
    }

    private func number(_ count: Int, of whole: Int) -> [Node] {
        let share = count > 0 && count < whole ? NumberText.percent(count, of: whole) : ""
        return [.text(NumberText.grouped(count)), share.isEmpty ? .none : small { share }]
    }
}
