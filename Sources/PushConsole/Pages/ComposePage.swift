internal import APNs
internal import Crypto
internal import PushService
internal import PushStore
internal import Recurrence
internal import Transport

/// Writing a push: whom, what, when; checked while it is written.
enum ComposePage {
    /// How many installations are shown as a sample of an audience.
    static let sampleCount = 5

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        var composition = Composition()
        let former = visit.query("from")
        if !former.isEmpty,
            let push = try await console.store.push(objectID: former, app: try visit.ofApp.number)
        {
            composition = Composition(again: push.request)
        }
        return try page(composition, console, visit)
    }

    /// The form again, with one more language or condition where a button without script asked for it.
    static func edit(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        var composition = Composition(visit.form)
        switch visit.form["add"] {
        case "language" where composition.texts.count < Composition.countMax:
            composition.texts.append(Composition.Text(language: "zh-Hans"))
        case "condition" where composition.conditions.count < Composition.countMax:
            composition.conditions.append(Condition())
        default: break
        }
        return try page(composition, console, visit)
    }

    static func page(
        _ composition: Composition, _ console: Console, _ visit: Visit, notice: String? = nil,
        status: Int = 200
    ) throws -> HTTPResponse {
        var composition = composition
        if composition.requestID.isEmpty { composition.requestID = RandomText.alphanumeric(count: 16) }
        let app = try visit.ofApp
        var page = Page(visit(.compose), .compose, scripts: ["compose.js"]) {
            if let notice { p(.class("notice bad"), .role("alert")) { notice } }
            ComposeForm(composition: composition, app: app, visit: visit).node
        }
        page.status = status
        page.lead = [.text(visit(.composeLead, app.name))]
        return console.frame(page, visit)
    }

    // MARK: - While it is written

    /// What is wrong with the message, and when it fires; a part of the page.
    static func check(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        var composition = Composition(visit.form)
        // What is wrong with the audience is said where it is counted.
        composition.audience = .everyone
        do {
            let request = try console.api.readPush(try composition.body(), app: app)
            return visit.fragment(try checkNodes(request, console, visit))
        } catch {
            let refusal = ConsoleRefusal(any: error)
            return visit.fragment([p(.class("notice warn")) { refusal.text(visit) }])
        }
    }

    private static func checkNodes(
        _ request: PushRequest, _ console: Console, _ visit: Visit
    ) throws -> [Node] {
        let findings = console.api.findings(request, app: try visit.ofApp)
        var times: Node?
        if let schedule = request.schedule {
            times = try FireTimes(schedule, createdAt: visit.now, now: visit.now).rendered(visit)
        } else if request.time != .now {
            times = p(.class("muted")) { AudienceText.time(request, visit) }
        }
        // A script moves the times to where the time is chosen.
        return [findingList(findings, visit)]
            + (times.map { times in [div(.data("times", "1")) { times }] } ?? [])
    }

    static func findingList(_ findings: [MessageFinding], _ visit: Visit) -> Node {
        guard !findings.isEmpty else { return p(.class("notice good")) { visit(.noFindings) } }
        return ul(.class("findings")) {
            for finding in findings {
                li(.class(finding.severity == .error ? "bad" : "warn")) {
                    strong { visit(finding.severity == .error ? .findingError : .findingWarning) }
                    " "
                    code { finding.keyPath }
                    " "
                    findingText(finding, visit)
                    if !finding.languages.isEmpty {
                        small { " (\(finding.languages.joined(separator: ", ")))" }
                    }
                }
            }
        }
    }

    /// What is found, in the visitor's language by its rule; the values that were found are in English.
    private static func findingText(_ finding: MessageFinding, _ visit: Visit) -> Node {
        guard visit.language != .english, let rule = FindingText.phrase(rule: finding.rule) else {
            return span(.lang("en")) { finding.message }
        }
        // Where the whole sentence can be said there is no need of a general one above it.
        let text = ErrorText.text(finding.message, in: visit.language)
        if text != finding.message { return span { text } }
        return .group([
            span { visit(rule) },
            span(.class("sub"), .lang("en")) { finding.message },
        ])
    }

    /// How many devices it reaches, and some of them; a part of the page.
    static func audience(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        var composition = Composition(visit.form)
        // Only the audience is asked about: what else may still be unfinished is left out.
        composition.texts = [Composition.Text(body: "-")]
        composition.timing = .now
        (composition.custom, composition.badge, composition.lifetimeHours, composition.perSecond) = (
            "", "", "", ""
        )
        do {
            let request = try console.api.readPush(try composition.body(), app: app)
            let count: AudienceCount
            if visit.query("exact") == "1" {
                count = try await console.audiences.count(
                    of: request, app: app, store: console.store, now: visit.now)
            } else {
                let glance = try await console.audiences.glance(
                    at: request, app: app, store: console.store, now: visit.now)
                guard case .exact(let known) = glance else {
                    return visit.fragment(AudiencePanel.about(glance, app, visit))
                }
                count = known
            }
            let sample = try await sample(request, console, visit)
            return visit.fragment(AudiencePanel(count: count, sample: sample, app: app, visit: visit).nodes)
        } catch {
            let refusal = ConsoleRefusal(any: error)
            var response = visit.fragment([p(.class("notice warn")) { refusal.text(visit) }])
            response.status = refusal.status == 503 ? 503 : 200
            return response
        }
    }

    private static func sample(
        _ request: PushRequest, _ console: Console, _ visit: Visit
    ) async throws -> [Installation] {
        var parts: [JSONValue] = [["valid": true]]
        if let filter = request.filter { parts.append(filter.json) }
        if let channels = request.channels {
            parts.append(["channels": ["$in": .array(channels.map(JSONValue.string))]])
        }
        return try await console.store.scanInstallations(
            try WhereClause(["$and": .array(parts)]), after: 0, limit: sampleCount,
            app: try visit.ofApp.number, now: visit.now)
    }

    // MARK: - Sending

    /// What would be sent and to how many, for a last look.
    static func confirm(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let composition = Composition(visit.form)
        let request: PushRequest
        let count: AudienceCount
        do {
            request = try console.api.readPush(try composition.body(), app: app)
            count = try await console.audiences.count(
                of: request, app: app, store: console.store, now: visit.now)
        } catch {
            let refusal = ConsoleRefusal(any: error)
            return try page(
                composition, console, visit, notice: refusal.text(visit), status: refusal.status)
        }
        let findings = console.api.findings(request, app: app)
        let isBroken = findings.contains { $0.severity == .error }
        let times = try request.schedule.map { schedule in
            try FireTimes(schedule, createdAt: visit.now, now: visit.now).rendered(visit)
        }
        var page = Page(visit(.confirmTitle), .compose) {
            section(.class("card confirm")) {
                p(.class("confirm-count")) {
                    NumberText.grouped(count.total)
                }
                p(.class("confirm-words")) {
                    visit(
                        .toDevices,
                        count.total == 1
                            ? NumberText.words(1, in: visit.language)
                            : NumberText.words(count.total, in: visit.language))
                }
                ConfirmSummary(request: request, visit: visit).node
                AudienceBreakdown(count: count, visit: visit).node
                findingList(findings, visit)
                if let times { times }
                form(
                    .method("post"), .action(Link("apps", app.id, "compose", "send")), .class("confirm-form")
                ) {
                    for item in visit.form.items {
                        input(.type("hidden"), .name(item.name), .value(item.value))
                    }
                    button(
                        .type("submit"), .class("quiet"), .formAction(Link("apps", app.id, "compose"))
                    ) { visit(.backToEdit) }
                    button(.type("submit"), .class("primary"), .flag("disabled", isBroken)) {
                        visit(request.schedule == nil && request.time == .now ? .sendNow : .schedulePush)
                    }
                }
            }
        }
        page.trail = [(visit(.compose), Link("apps", app.id, "compose"))]
        return console.frame(page, visit)
    }

    static func send(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let composition = Composition(visit.form)
        do {
            return try await send(try composition.body(), "push.send", console, visit)
        } catch {
            let refusal = ConsoleRefusal(any: error)
            return try page(
                composition, console, visit, notice: refusal.text(visit), status: refusal.status)
        }
    }

    /// Sends it now, to installations whose attribute `test` is true.
    static func sendTest(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        var composition = Composition(visit.form)
        composition.timing = .now
        composition.audience = .everyone
        // The real one later has its own id.
        composition.requestID = ""
        do {
            var body = try composition.body()
            body["test"] = true
            return try await send(body, "push.test", console, visit)
        } catch {
            let refusal = ConsoleRefusal(any: error)
            return try page(
                composition, console, visit, notice: refusal.text(visit), status: refusal.status)
        }
    }

    private static func send(
        _ body: [String: JSONValue], _ action: String, _ console: Console, _ visit: Visit
    ) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let answer = try await console.api.perform(
            "POST", "/1.1/push", body: body, app: app, actor: visit.actor)
        guard case .string(let id)? = answer["pushId"] else { throw ConsoleRefusal(500, .databaseFailed) }
        try await console.audit(action, "push \(id)", visit)
        return ConsoleHeaders.redirect(to: Link("apps", app.id, "pushes", id))
    }
}
