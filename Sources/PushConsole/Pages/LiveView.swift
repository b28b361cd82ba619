internal import PushStore

/// What changes on a push's page while it is sent: progress, counts, reasons.
struct LiveView {
    let record: PushRecord
    let language: Language

    /// As the stream sends it.
    var html: String { nodes.map(\.html).joined() }

    private func text(_ phrase: Phrase) -> String { phrase.text(in: language) }

    private var failedCount: Int {
        record.outcomes.reduce(0) { sum, item in
            item.key.isDevice && item.key != .accepted && item.key != .pending ? sum + item.value : sum
        }
    }

    var nodes: [Node] {
        let devices = record.deviceCount
        let done = devices - record.pendingCount
        return [
            div(.class("live-state")) {
                if let state = record.pushes.last?.state { OutcomeText.badge(state, language) }
                if devices > 0 {
                    progress(
                        .max(String(devices)), .value(String(done)), .aria("label", text(.progress)))
                    span(.class("progress-text")) {
                        Phrase.progressOf.text(
                            in: language, [NumberText.grouped(done), NumberText.grouped(devices)])
                    }
                }
            },
            errors,
            tiles(devices),
            breakdown(devices),
        ]
    }

    private var errors: Node {
        let errors = record.pushes.compactMap(\.error).map { ErrorText.text($0, in: language) }
        guard !errors.isEmpty else { return .none }
        return p(.class("notice bad"), .role("alert")) { errors.joined(separator: "; ") }
    }

    private func tiles(_ devices: Int) -> Node {
        dl(.class("tiles")) {
            tile(.devices, record.deviceCount, nil)
            tile(.accepted, record.successCount, NumberText.percent(record.successCount, of: devices), "good")
            tile(
                .failed, failedCount, NumberText.percent(failedCount, of: devices),
                failedCount > 0 ? "bad" : "")
            tile(.waiting, record.pendingCount, nil)
            tile(
                .opened, record.openCount,
                NumberText.percent(record.openCount, of: record.successCount))
            if let answering = record.answering {
                div(.class("tile")) {
                    dt { text(.answerTime) }
                    dd {
                        "\(answering.median) ms"
                        small { "p99 \(answering.percentile99) ms" }
                    }
                }
            }
        }
    }

    private func tile(_ phrase: Phrase, _ count: Int, _ share: String?, _ tone: String = "") -> Node {
        div(.class("tile \(tone)")) {
            dt { text(phrase) }
            dd {
                NumberText.grouped(count)
                if let share, !share.isEmpty { small { share } }
            }
        }
    }

    private func breakdown(_ devices: Int) -> Node {
        let outcomes = record.outcomes.filter { $0.key.isDevice && $0.value > 0 }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        guard !outcomes.isEmpty else { return .none }
        return div(.class("scroll"), .tabindex(0), .role("region"), .aria("label", text(.byReason))) {
            table {
                caption { text(.byReason) }
                thead {
                    tr {
                        th(.scope("col")) { text(.reason) }
                        th(.scope("col"), .class("number")) { text(.devices) }
                        th(.scope("col")) { text(.share) }
                        th(.scope("col")) { text(.meaning) }
                    }
                }
                tbody {
                    for (outcome, count) in outcomes {
                        tr {
                            th(.scope("row"), .class("reason")) {
                                span(
                                    .class("dot \(OutcomeText.tone(outcome).rawValue)"),
                                    .aria("hidden", "true"))
                                OutcomeText.name(outcome, language)
                            }
                            td(.class("number")) { NumberText.grouped(count) }
                            td(.class("bar")) {
                                progress(
                                    .class(OutcomeText.tone(outcome).rawValue), .max(String(max(1, devices))),
                                    .value(String(count)),
                                    .aria("label", OutcomeText.name(outcome, language)))
                                span { NumberText.percent(count, of: devices) }
                            }
                            td(.class("advice")) { OutcomeText.advice(outcome).map(text) ?? "" }
                        }
                    }
                }
            }
        }
    }
}
