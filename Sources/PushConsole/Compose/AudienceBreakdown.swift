internal import PushStore

/// How an audience divides by environment, language and time zone, as small tables.
struct AudienceBreakdown {
    let count: AudienceCount
    let visit: Visit

    /// How many rows each table has at most, beside that of all others.
    private static let rowCount = 8
    /// The longest name that is not broken, in characters: zones end before it.
    private static let wholeCount = 22

    var node: Node {
        guard count.total > 0 else { return p(.class("muted")) { visit(.nobodyNow) } }
        return div(.class("halves")) {
            div(.class("stack")) {
                part(
                    .environment,
                    count.environments.map {
                        ($0.key.map { EnvironmentText.text($0, visit) } ?? visit(.unknown), $0.value)
                    })
                part(.languages, count.locales.map { ($0.key ?? visit(.unknown), $0.value) })
            }
            part(.zones, count.timeZones.map { ($0.key ?? visit(.unknown), $0.value) })
        }
    }

    private func part(_ name: Phrase, _ items: [(String, Int)]) -> Node {
        let sorted = items.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        guard !sorted.isEmpty else { return .none }
        // One row of others would take the place of the one it stands for.
        let shown = sorted.count <= Self.rowCount + 1 ? sorted.count : Self.rowCount
        var rows = Array(sorted.prefix(shown))
        let rest = sorted.dropFirst(shown)
        if !rest.isEmpty {
            rows.append((visit(.othersCount, count: rest.count), rest.reduce(0) { $0 + $1.1 }))
        }
        return table {
            caption { visit(name) }
            thead(.class("sr-only")) {
                tr {
                    th(.scope("col")) { visit(name) }
                    th(.scope("col")) { visit(.devices) }
                    th(.scope("col")) { visit(.share) }
                }
            }
            tbody {
                for (text, number) in rows {
                    tr {
                        th(.scope("row"), .class(text.count > Self.wholeCount ? "long" : "")) { text }
                        td(.class("number")) { NumberText.grouped(number) }
                        td(.class("bar")) {
                            progress(
                                .max(String(count.total)), .value(String(number)), .aria("label", text))
                            span { NumberText.percent(number, of: count.total) }
                        }
                    }
                }
            }
        }
    }
}
