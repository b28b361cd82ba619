internal import PushStore
internal import Recurrence
internal import Transport

/// What people do in the app, and what they care for.
enum EventsPage {
    private static let dayCount = 14
    private static let tagCount = 20
    /// From which strength on an interest counts.
    private static let interestMin = 0.2

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let today = CivilDate(daysSince1970: Int(visit.now.secondsSince1970 / 86_400))
        let since = CivilDate(daysSince1970: today.daysSince1970 - dayCount + 1)
        let counts = try await console.store.eventCounts(since: since, app: app.number)
        let names = Dictionary(grouping: counts, by: \.name)
            .mapValues { $0.reduce(0) { $0 + $1.count } }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(6).map(\.key)
        let page = Page(visit(.events), .events, scripts: ["chart.min.js", "charts.js"]) {
            if counts.isEmpty {
                div(.class("card empty")) {
                    h2 { visit(.noEvents) }
                    p { visit(.noEventsLead) }
                    pre {
                        "POST /1.1/events {\"installation\": \"…\", \"name\": \"read\", \"tags\": {\"space\": 1}}"
                    }
                }
            } else {
                chart(counts, names, since, visit)
            }
            section(.class("card")) {
                h2 { visit(.interests) }
                p(.class("muted")) { visit(.interestsLead) }
                div(.class("loading"), .data("load", Link("apps", app.id, "events", "interests"))) {
                    p { visit(.loading) }
                }
            }
        }
        return console.frame(page, visit)
    }

    private static func chart(
        _ counts: [EventCount], _ names: [String], _ since: CivilDate, _ visit: Visit
    ) -> Node {
        var byDay: [Int: [String: Int]] = [:]
        for count in counts {
            byDay[count.day.daysSince1970, default: [:]][count.name, default: 0] += count.count
        }
        return figure(.class("card chart")) {
            figcaption { h2 { visit(.eventsPerDay) } }
            div(.class("canvas")) {
                canvas(
                    .data("chart", "events"), .role("img"),
                    .aria("label", visit(.chartOf, visit(.eventsPerDay))))
            }
            details {
                summary { visit(.asTable) }
                div(
                    .class("scroll tall"), .tabindex(0), .role("region"), .aria("label", visit(.eventsPerDay))
                ) {
                    table(.data("series", "events")) {
                        thead {
                            tr {
                                th(.scope("col")) { visit(.day) }
                                for name in names { th(.scope("col"), .class("number")) { name } }
                            }
                        }
                        tbody {
                            for day in since.daysSince1970..<(since.daysSince1970 + dayCount) {
                                tr {
                                    th(.scope("row")) {
                                        timeElement(
                                            .datetime(CivilDate(daysSince1970: day).iso8601 + "T00:00:00Z"),
                                            .data("plain", "1")
                                        ) { CivilDate(daysSince1970: day).iso8601 }
                                    }
                                    for name in names {
                                        td(.class("number"), .data("value", String(byDay[day]?[name] ?? 0))) {
                                            NumberText.grouped(byDay[day]?[name] ?? 0)
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Which tags people care for; a part of the page.
    static func interests(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let tags = try await console.searches.pass {
            try await console.store.interestCounts(
                atLeast: interestMin, limit: tagCount, app: app.number, now: visit.now)
        }
        guard let most = tags.first?.installationCount, most > 0 else {
            return visit.fragment([p(.class("muted")) { visit(.none) }])
        }
        return visit.fragment([
            div(.class("scroll"), .tabindex(0), .role("region"), .aria("label", visit(.interests))) {
                table {
                    thead {
                        tr {
                            th(.scope("col")) { visit(.tag) }
                            th(.scope("col"), .class("number")) { visit(.devices) }
                            th(.scope("col")) { visit(.relative) }
                        }
                    }
                    tbody {
                        for item in tags {
                            tr {
                                th(.scope("row")) { item.tag }
                                td(.class("number")) { NumberText.grouped(item.installationCount) }
                                td(.class("bar")) {
                                    progress(
                                        .max(String(most)), .value(String(item.installationCount)),
                                        .aria("label", item.tag))
                                    span { NumberText.percent(item.installationCount, of: most) }
                                }
                            }
                        }
                    }
                }
            }
        ])
    }
}
