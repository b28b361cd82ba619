internal import PushStore

/// How many devices an audience has, how they divide, and some of them.
struct AudiencePanel {
    let count: AudienceCount
    let sample: [Installation]
    let app: App
    let visit: Visit

    /// How many languages and zones are named.
    private static let shareCount = 4

    var nodes: [Node] {
        [
            p(.class("audience-count"), .data("count", String(count.total))) {
                strong { NumberText.grouped(count.total) }
                " "
                span { visit(.devicesNow, count: count.total) }
            },
            dl(.class("shares")) {
                shares(
                    .environment,
                    count.environments.map {
                        ($0.key.map { EnvironmentText.text($0, visit) } ?? visit(.unknown), $0.value)
                    })
                shares(.languages, count.locales.map { ($0.key ?? visit(.unknown), $0.value) })
                shares(.zones, count.timeZones.map { ($0.key ?? visit(.unknown), $0.value) })
            },
            samples,
        ]
    }

    /// What is shown while all are counted; a script asks for the count then.
    static func about(_ glance: AudienceShelf.Glance, _ app: App, _ visit: Visit) -> [Node] {
        var number: Int?
        if case .about(let about) = glance { number = about }
        return [
            p(
                .class("audience-count"),
                .data("exact", Link("apps", app.id, "compose", "audience", query: [("exact", "1")]))
            ) {
                if let number {
                    strong { visit(.aboutCount, NumberText.grouped(number)) }
                    " "
                    span { visit(.devicesNow, count: number) }
                }
            },
            p(.class("counting")) { visit(number == nil ? .counting : .countingAll) },
        ]
    }

    private func shares(_ name: Phrase, _ items: [(String, Int)]) -> [Node] {
        let sorted = items.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        guard !sorted.isEmpty else { return [] }
        let rest = sorted.dropFirst(Self.shareCount).reduce(0) { $0 + $1.1 }
        return [
            dt { visit(name) },
            dd {
                for (text, number) in sorted.prefix(Self.shareCount) {
                    span(.class("share")) {
                        text
                        small { NumberText.percent(number, of: count.total) }
                    }
                }
                if rest > 0 {
                    span(.class("share")) {
                        visit(.others)
                        small { NumberText.percent(rest, of: count.total) }
                    }
                }
            },
        ]
    }

    private var samples: Node {
        guard !sample.isEmpty else { return .none }
        return details {
            summary { visit(.sample) }
            ul(.class("samples")) {
                for row in sample {
                    li {
                        a(.href(Link("apps", app.id, "installations", row.objectID))) {
                            code { row.objectID }
                        }
                        span(.class("muted")) {
                            [row.deviceType, row.locale, row.timeZone].compactMap(\.self)
                                .joined(separator: " · ")
                        }
                    }
                }
            }
        }
    }
}
