internal import PushStore
internal import Recurrence
internal import Transport

/// How an app's pushes do: counts over time, and what needs a person.
enum OverviewPage {
    /// The spans of time that can be looked at.
    enum Period: String, CaseIterable {
        case day, week, month

        var hourCount: Int64 {
            switch self {
            case .day: 24
            case .week: 7 * 24
            case .month: 30 * 24
            }
        }

        /// How many hours stand together in a chart.
        var groupCount: Int {
            switch self {
            case .day: 1
            case .week: 6
            case .month: 24
            }
        }

        var phrase: Phrase {
            switch self {
            case .day: .lastDay
            case .week: .lastWeek
            case .month: .lastMonth
            }
        }
    }

    static let recentCount = 6

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let period = Period(rawValue: visit.query("span")) ?? .day
        let concerns = try await Concern.all(of: app, console, visit)
        let recent = try await PushesPage.rows(
            try await console.store.pushes(before: nil, limit: recentCount, app: app.number), console, visit)
        let isReady = console.series.isReady(hourCount: period.hourCount, app: app.number, now: visit.now)
        let charts = isReady ? try await chartNodes(period, console, visit) : nil
        let link = Link("apps", app.id, "overview", "series", query: [("span", period.rawValue)])
        var page = Page(visit(.overview), .overview, scripts: ["chart.min.js", "charts.js"]) {
            concernList(concerns, visit)
            nav(.class("spans"), .aria("label", visit(.span))) {
                for choice in Period.allCases {
                    a(
                        .href(Link("apps", app.id, "overview", query: [("span", choice.rawValue)])),
                        choice == period ? .aria("current", "true") : .class("")
                    ) { visit(choice.phrase) }
                }
            }
            if let charts {
                div(.id("series"), .data("refresh", link), .data("seconds", "15")) { charts }
            } else {
                div(
                    .id("series"), .class("loading"), .data("load", link), .data("refresh", link),
                    .data("seconds", "15")
                ) {
                    p { visit(.loading) }
                }
            }
            section {
                h2 { visit(.recentPushes) }
                if recent.isEmpty {
                    div(.class("card empty")) { p { visit(.noPushesLead) } }
                } else {
                    PushesPage.listing(recent, visit)
                    p { a(.href(Link("apps", app.id, "pushes"))) { visit(.allPushes) } }
                }
            }
        }
        page.lead = [
            .text(visit(.installationsOf) + " "),
            span(.id("device-count"), .data("load", Link("apps", app.id, "overview", "devices"))) { "…" },
        ]
        if visit.may(.sender) {
            page.actions = [
                a(.class("button primary"), .href(Link("apps", app.id, "compose"))) { visit(.compose) }
            ]
        }
        return console.frame(page, visit)
    }

    private static func concernList(_ concerns: [Concern], _ visit: Visit) -> Node {
        guard !concerns.isEmpty else { return p(.class("notice good")) { visit(.noConcerns) } }
        return section(.class("concerns"), .aria("label", visit(.needsYou))) {
            h2 { visit(.needsYou) }
            ul {
                for concern in concerns {
                    li(.class(concern.isUrgent ? "bad" : "warn")) {
                        strong { concern.title }
                        " "
                        span { concern.detail }
                        if let link = concern.link {
                            " "
                            a(.href(link.link)) { link.text }
                        }
                    }
                }
            }
        }
    }

    // MARK: - Parts that are fetched

    /// The number of installations.
    static func devices(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let everyone = PushRequest(data: [:])
        if visit.query("exact") != "1" {
            let glance = try await console.audiences.glance(
                at: everyone, app: app, store: console.store, now: visit.now,
                seconds: AudienceShelf.roughSeconds)
            switch glance {
            case .exact(let count): return deviceCount(count, visit)
            case .about(let number):
                let about = number.map { visit(.aboutDevices, NumberText.grouped($0)) } ?? visit(.counting)
                let link = Link("apps", app.id, "overview", "devices", query: [("exact", "1")])
                return visit.fragment([span(.class("counting"), .data("exact", link)) { about }])
            }
        }
        return deviceCount(
            try await console.audiences.count(of: everyone, app: app, store: console.store, now: visit.now),
            visit)
    }

    private static func deviceCount(_ count: AudienceCount, _ visit: Visit) -> HTTPResponse {
        visit.fragment([.text(visit(.reachableDevices, count: count.total))])
    }

    /// Counts, charts and their tables.
    static func series(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let period = Period(rawValue: visit.query("span")) ?? .day
        return visit.fragment(try await chartNodes(period, console, visit))
    }

    private static func chartNodes(
        _ period: Period, _ console: Console, _ visit: Visit
    ) async throws -> [Node] {
        let hours = try await console.series.hours(
            period.hourCount, app: try visit.ofApp.number, store: console.store, now: visit.now)
        return DeliveryCharts(hours: hours, groupCount: period.groupCount, visit: visit).nodes
    }
}
