internal import PushStore
internal import Recurrence

/// Counts and charts of a span of time; each chart is drawn from the table beneath it.
struct DeliveryCharts {
    let hours: [DeliverySlice]
    /// How many hours stand together.
    let groupCount: Int
    let visit: Visit

    private var groups: [DeliverySlice] {
        stride(from: 0, to: hours.count, by: groupCount).map { start in
            let part = hours[start..<min(start + groupCount, hours.count)]
            var sum = DeliverySlice(start: hours[start].start)
            for slice in part { sum.add(slice) }
            return sum
        }
    }

    private static func failed(_ slice: DeliverySlice) -> Int {
        slice.outcomes.reduce(0) { sum, item in
            item.key == .accepted || item.key == .pending ? sum : sum + item.value
        }
    }

    private static func accepted(_ slice: DeliverySlice) -> Int { slice.outcomes[.accepted] ?? 0 }

    var nodes: [Node] {
        let groups = groups
        var total = DeliverySlice(start: hours.first?.start ?? visit.now)
        for slice in groups { total.add(slice) }
        return [tiles(total), charts(groups), reasons(total)]
    }

    private func tiles(_ total: DeliverySlice) -> Node {
        let accepted = Self.accepted(total)
        let failed = Self.failed(total)
        let all = accepted + failed
        return dl(.class("tiles")) {
            tile(.sent, NumberText.grouped(all), nil)
            tile(.accepted, NumberText.grouped(accepted), NumberText.percent(accepted, of: all), "good")
            tile(
                .failed, NumberText.grouped(failed), NumberText.percent(failed, of: all),
                failed > 0 ? "bad" : "")
            tile(
                .opened, NumberText.grouped(total.openCount),
                NumberText.percent(total.openCount, of: accepted))
            tile(
                .answerTime, total.answering.timing.map { "\($0.median) ms" } ?? "–",
                total.answering.timing.map { "p99 \($0.percentile99) ms" })
        }
    }

    private func tile(_ phrase: Phrase, _ value: String, _ note: String?, _ tone: String = "") -> Node {
        div(.class("tile \(tone)")) {
            dt { visit(phrase) }
            dd {
                value
                if let note, !note.isEmpty { small { note } }
            }
        }
    }

    private func charts(_ groups: [DeliverySlice]) -> Node {
        div(.class("charts")) {
            chart("deliveries", .deliveriesOverTime, groups, [.accepted, .failed, .opened]) { slice in
                [Self.accepted(slice), Self.failed(slice), slice.openCount]
            }
            chart("latency", .latencyOverTime, groups, [.median, .nearlyAll]) { slice in
                let timing = slice.answering.timing
                return [timing.map { Int($0.median) }, timing.map { Int($0.percentile99) }]
            }
        }
    }

    /// A chart with its table.
    private func chart(
        _ kind: String, _ name: Phrase, _ groups: [DeliverySlice], _ columns: [Phrase],
        _ values: (DeliverySlice) -> [Int?]
    ) -> Node {
        figure(.class("card chart")) {
            figcaption { h2 { visit(name) } }
            div(.class("canvas")) {
                canvas(.data("chart", kind), .role("img"), .aria("label", visit(.chartOf, visit(name))))
            }
            details {
                summary { visit(.asTable) }
                div(.class("scroll tall"), .tabindex(0), .role("region"), .aria("label", visit(name))) {
                    table(.data("series", kind)) {
                        thead {
                            tr {
                                th(.scope("col")) { visit(.time) }
                                for column in columns {
                                    th(.scope("col"), .class("number")) { visit(column) }
                                }
                            }
                        }
                        tbody {
                            for slice in groups {
                                tr {
                                    th(.scope("row")) { visit.time(slice.start) }
                                    for value in values(slice) {
                                        td(.class("number"), .data("value", value.map(String.init) ?? "")) {
                                            value.map(NumberText.grouped) ?? "–"
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

    private func reasons(_ total: DeliverySlice) -> Node {
        let failures = total.outcomes.filter { $0.key != .accepted && $0.key != .pending && $0.value > 0 }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        let all = failures.reduce(0) { $0 + $1.value }
        return section(.class("card")) {
            h2 { visit(.failuresByReason) }
            if failures.isEmpty {
                p(.class("muted")) { visit(.noFailures) }
            } else {
                div(.class("scroll"), .tabindex(0), .role("region"), .aria("label", visit(.failuresByReason)))
                {
                    table {
                        thead {
                            tr {
                                th(.scope("col")) { visit(.reason) }
                                th(.scope("col"), .class("number")) { visit(.devices) }
                                th(.scope("col")) { visit(.share) }
                                th(.scope("col")) { visit(.meaning) }
                            }
                        }
                        tbody {
                            for (outcome, count) in failures {
                                tr {
                                    th(.scope("row"), .class("reason")) {
                                        OutcomeText.name(outcome, visit.language)
                                    }
                                    td(.class("number")) { NumberText.grouped(count) }
                                    td(.class("bar")) {
                                        progress(
                                            .class(OutcomeText.tone(outcome).rawValue), .max(String(all)),
                                            .value(String(count)),
                                            .aria("label", OutcomeText.name(outcome, visit.language)))
                                        span { NumberText.percent(count, of: all) }
                                    }
                                    td(.class("advice")) {
                                        OutcomeText.advice(outcome).map { visit($0) } ?? ""
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
