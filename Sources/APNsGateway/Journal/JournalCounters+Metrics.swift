internal import APNs

extension JournalCounters {
    /// The counters as Prometheus text, sorted so that equal counters give equal text.
    package var metricsText: String {
        var text = """
            # HELP apns_gateway_requests_total Requests by HTTP status and reason; status 0 had no answer.
            # TYPE apns_gateway_requests_total counter
            apns_gateway_requests_total{status="0",reason=""} \(unanswered)
            apns_gateway_requests_total{status="200",reason=""} \(accepted)

            """
        let rows = refusals.map { ($0.key.status, $0.key.reason?.text ?? "", $0.value) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        for (status, reason, count) in rows {
            let label = JournalCounters.escaped(reason)
            text += "apns_gateway_requests_total{status=\"\(status)\",reason=\"\(label)\"} \(count)\n"
        }
        text += """
            # HELP apns_gateway_decisions_total Requests by what the gateway did with them.
            # TYPE apns_gateway_decisions_total counter

            """
        for decision in JournalDecision.allCases {
            text += "apns_gateway_decisions_total{decision=\"\(decision)\"} \(count(of: decision))\n"
        }
        return text
    }

    private static func escaped(_ label: String) -> String {
        label.map { character in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n", "\r\n": "\\n"
            default: String(character)
            }
        }.joined()
    }
}
