internal import APNs
internal import PushStore
internal import Recurrence
internal import Transport

/// The gateway's journal and faults, through its control interface.
enum GatewayPage {
    private static let rowCount = 40
    private static let timeout = Duration.seconds(5)

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let page = Page(visit(.gateway), .gateway) {
            section(.class("card")) {
                h2 { visit(.faults) }
                p(.class("muted")) { visit(.faultsLead) }
                div(.class("loading"), .data("load", Link("gateway", "faults"))) { p { visit(.loading) } }
                if visit.may(.owner) { faultForm(visit) }
            }
            section {
                h2 { visit(.journal) }
                div(
                    .class("loading"), .data("load", Link("gateway", "journal")),
                    .data("refresh", Link("gateway", "journal")), .data("seconds", "3")
                ) { p { visit(.loading) } }
            }
        }
        return console.frame(page, visit)
    }

    private static func faultForm(_ visit: Visit) -> Node {
        div(.class("stack")) {
            form(.class("row-form"), .method("post"), .action(Link("gateway", "faults"))) {
                visit.formToken
                Field.choice(
                    "fault", visit(.fault),
                    [
                        ("reason", visit(.faultReason)), ("latency_ms", visit(.faultLatency)),
                        ("silence", visit(.faultSilence)), ("reset", visit(.faultReset)),
                        ("goaway", visit(.faultGoAway)), ("max_streams", visit(.faultStreams)),
                        ("drop", visit(.faultDrop)),
                    ])
                Field.text(
                    "fault-value", visit(.value), value: "TooManyRequests", hint: visit(.faultValueHint))
                Field.text("rate", visit(.rate), value: "0.1", hint: visit(.rateHint))
                button(.class("primary"), .type("submit")) { visit(.addFault) }
            }
            form(.class("inline"), .method("post"), .action(Link("gateway", "faults", "remove"))) {
                visit.formToken
                button(.class("quiet"), .type("submit")) { visit(.removeFaults) }
            }
        }
    }

    // MARK: - Parts

    static func journal(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let answer = try await ask("GET", "/requests?limit=\(rowCount)", console, visit)
        guard case .array(let records)? = answer["requests"], !records.isEmpty else {
            return visit.fragment([div(.class("card empty")) { p { visit(.noRequests) } }])
        }
        let newestFirst = records.sorted { number($0, "sequence") > number($1, "sequence") }
        return visit.fragment([
            div(.class("card flush scroll"), .tabindex(0), .role("region"), .aria("label", visit(.journal))) {
                table {
                    thead {
                        tr {
                            th(.scope("col")) { visit(.time) }
                            th(.scope("col"), .class("number")) { visit(.status) }
                            th(.scope("col")) { visit(.reason) }
                            th(.scope("col")) { visit(.decision) }
                            th(.scope("col")) { visit(.deviceToken) }
                            th(.scope("col")) { visit(.topic) }
                            th(.scope("col")) { visit(.environment) }
                        }
                    }
                    tbody {
                        for record in newestFirst {
                            tr {
                                td(.class("time")) {
                                    visit.time(Instant(millisecondsSince1970: number(record, "time_ms")))
                                }
                                td(.class("number")) {
                                    span(.class(number(record, "status") == 200 ? "badge good" : "badge bad"))
                                    {
                                        String(number(record, "status"))
                                    }
                                }
                                td(.class("nowrap")) { text(record, "reason") }
                                td(.class("advice")) {
                                    DecisionText.text(text(record, "explanation"), in: visit.language)
                                }
                                td(.class("nowrap")) {
                                    code {
                                        text(record, "token").isEmpty
                                            ? "–" : "\(text(record, "token").prefix(8))…"
                                    }
                                }
                                td(.class("nowrap")) { text(record, "topic") }
                                td(.class("nowrap")) {
                                    let name = text(record, "environment")
                                    Environment(rawValue: name).map { EnvironmentText.text($0, visit) }
                                        ?? name
                                }
                            }
                        }
                    }
                }
            }
        ])
    }

    static func faults(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let answer = try await ask("GET", "/faults", console, visit)
        guard case .array(let rules)? = answer["faults"], !rules.isEmpty else {
            return visit.fragment([p(.class("notice good")) { visit(.noFaults) }])
        }
        return visit.fragment([
            ul(.class("findings")) {
                for rule in rules { li(.class("warn")) { code { JSONText.line(rule) } } }
            }
        ])
    }

    private static func text(_ value: JSONValue, _ key: String) -> String {
        if case .string(let text)? = value[key] { text } else { "" }
    }

    private static func number(_ value: JSONValue, _ key: String) -> Int64 {
        if case .integer(let number)? = value[key] { number } else { 0 }
    }

    // MARK: - Changes

    static func addFault(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let kind = visit.form["fault"]
        let value = visit.form.trimmed("fault-value")
        var members: [String: JSONValue] = [:]
        switch kind {
        case "reason": members[kind] = .string(value)
        case "latency_ms", "max_streams":
            guard let number = Int64(value) else { throw ConsoleRefusal(400, .faultNumber) }
            members[kind] = .integer(number)
        case "silence", "reset", "goaway", "drop": members[kind] = true
        default: throw ConsoleRefusal(400, .malformedForm)
        }
        if let rate = Double(visit.form.trimmed("rate")) { members["rate"] = .number(rate) }
        _ = try await ask("POST", "/faults", body: .object(members), console, visit)
        try await console.audit("gateway.fault", JSONText.line(.object(members)), visit)
        return ConsoleHeaders.redirect(to: Link("gateway"))
    }

    static func removeFaults(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        _ = try await ask("DELETE", "/faults", console, visit)
        try await console.audit("gateway.faults.remove", "", visit)
        return ConsoleHeaders.redirect(to: Link("gateway"))
    }

    /// Asks the gateway's control interface.
    private static func ask(
        _ method: String, _ path: String, body: JSONValue? = nil, _ console: Console, _ visit: Visit
    ) async throws -> JSONValue {
        guard let control = console.configuration.gatewayControl else { throw ConsoleRefusal.nothing }
        let bytes = try body.map { try $0.encoded() }
        let response: HTTPClientResponse
        do {
            response = try await console.client.send(
                HTTPClientRequest(
                    method: method, url: control + path,
                    headers: [HTTPHeaders.Field(name: "Content-Type", value: "application/json")],
                    body: bytes,
                    timeout: timeout))
        } catch {
            throw ConsoleRefusal(502, .gatewayUnreachable)
        }
        let answer = response.body.isEmpty ? [:] : (try? JSONValue(parsing: response.body)) ?? [:]
        guard 200..<300 ~= response.status else {
            throw ConsoleRefusal(400, text: text(answer, "error"))
        }
        return answer
    }
}
