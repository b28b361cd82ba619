internal import APNs
internal import PushService
internal import PushStore
internal import Transport

/// Why a device did or did not get a push, step by step.
enum ExplainPage {
    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let push = visit.query("push").trimmingBlanks
        let installation = visit.query("installation").trimmingBlanks
        let answer = try await console.api.perform(
            "GET", "/1.1/explain", query: [("push", push), ("installation", installation)], app: app,
            actor: visit.actor)
        guard case .array(let steps)? = answer["steps"] else { throw ConsoleRefusal.nothing }
        var stoppedAt: String?
        if case .string(let name)? = answer["stoppedAt"] { stoppedAt = name }
        var page = Page(visit(.explainTitle), .pushes) {
            p(.class(stoppedAt == nil ? "notice good" : "notice bad")) {
                stoppedAt.map { visit(.stoppedAt, Self.name($0, visit)) } ?? visit(.notStopped)
            }
            section(.class("card")) {
                ol(.class("timeline")) {
                    for step in steps { item(step, visit) }
                }
            }
            section(.class("card")) {
                dl(.class("facts")) {
                    dt { visit(.push) }
                    dd { a(.href(Link("apps", app.id, "pushes", push))) { push } }
                    dt { visit(.installation) }
                    dd { a(.href(Link("apps", app.id, "installations", installation))) { installation } }
                }
            }
        }
        page.trail = [
            (visit(.pushes), Link("apps", app.id, "pushes")), (push, Link("apps", app.id, "pushes", push)),
        ]
        return console.frame(page, visit)
    }

    private static func item(_ step: JSONValue, _ visit: Visit) -> Node {
        func text(_ key: String) -> String {
            if case .string(let text)? = step[key] { text } else { "" }
        }
        let state = text("state")
        let shown: (phrase: Phrase, tone: String) =
            switch state {
            case "passed": (.stepPassed, "good")
            case "failed": (.stepFailed, "bad")
            default: (.stepOpen, "open")
            }
        return li(.class(shown.tone)) {
            strong { name(text("step"), visit) }
            span(.class("badge \(shown.tone == "open" ? "plain" : shown.tone)")) { visit(shown.phrase) }
            detail(step, text("detail"), visit)
        }
    }

    /// What was found, in the visitor's language; the service's own words where there are no others.
    private static func detail(_ step: JSONValue, _ english: String, _ visit: Visit) -> Node {
        var reasons: [ExplanationReason] = []
        if case .array(let items)? = step["reasons"] { reasons = items.compactMap(ExplanationReason.init) }
        guard visit.language != .english, !reasons.isEmpty else {
            return span(.class("muted"), .lang("en")) { english }
        }
        return span(.class("muted")) { ExplanationText.line(reasons, visit) }
    }

    private static func name(_ step: String, _ visit: Visit) -> String {
        let phrase: Phrase? =
            switch step {
            case "push": .push
            case "installation": .installation
            case "audience": .audience
            case "valid": .mayBeSent
            case "token": .deviceToken
            case "environment": .environment
            case "credential": .credential
            case "batch": .batch
            case "request": .request
            case "answer": .answerOfAPNs
            case "received": .received
            case "opened": .opened
            default: nil
            }
        return phrase.map { visit($0) } ?? step
    }
}
