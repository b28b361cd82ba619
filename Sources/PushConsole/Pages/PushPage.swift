internal import APNs
internal import PushService
internal import PushStore
internal import Recurrence
internal import Transport

/// One push: how it goes on, what it says, and what can be done with it.
enum PushPage {
    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let (push, record) = try await find(console, visit)
        let text = MessageText(push.request.data)
        let audits = try await console.store.auditLog(app: app.number, limit: 200)
            .filter { $0.detail.contains(push.objectID) }
        var page = Page(
            text.line ?? visit(.silentPush), .pushes, scripts: ["live.js"]
        ) {
            if push.request.schedule != nil {
                p(.class("notice")) {
                    visit(.isSchedule)
                    " "
                    a(.href(Link("apps", app.id, "schedules"))) { visit(.schedules) }
                }
            }
            section(.class("card")) {
                h2 { visit(.progress) }
                div(
                    .id("live"), .aria("live", "off"),
                    .data("stream", Link("apps", app.id, "pushes", push.objectID, "stream"))
                ) {
                    LiveView(record: record, language: visit.language).nodes
                }
                p(.class("sr-only"), .id("live-announcement"), .role("status")) {}
            }
            div(.class("columns")) {
                section(.class("card")) {
                    h2 { visit(.timeline) }
                    timeline(push, record, audits, visit)
                }
                section(.class("card")) {
                    h2 { visit(.request) }
                    facts(push, visit)
                }
            }
            if hasAudience(push.request) {
                division(push, record, app, visit)
            }
            section(.class("card")) {
                h2 { visit(.content) }
                pre(.class("json"), .tabindex(0)) { JSONText.pretty(.object(push.request.data)) }
            }
            section(.class("card")) {
                h2 { visit(.explainDevice) }
                p(.class("muted")) { visit(.explainLead) }
                form(.method("get"), .action(Link("apps", app.id, "explain")), .class("row-form")) {
                    input(.type("hidden"), .name("push"), .value(push.objectID))
                    Field.text("installation", visit(.installationID), .flag("required"))
                    button(.type("submit")) { visit(.explain) }
                }
            }
        }
        page.trail = [(visit(.pushes), Link("apps", app.id, "pushes"))]
        page.lead = text.title == nil ? [] : [.text(text.body ?? "")]
        page.actions = actions(push, visit)
        return console.frame(page, visit)
    }

    /// The push of the path with its record.
    private static func find(_ console: Console, _ visit: Visit) async throws -> (Push, PushRecord) {
        let app = try visit.ofApp.number
        let id = visit.parameters["push"]
        guard let record = try await console.store.record(id: id, app: app),
            let push = record.pushes.first(where: { $0.objectID == id }) ?? record.pushes.last
        else { throw ConsoleRefusal.nothing }
        return (push, record)
    }

    /// What can be done with a push in its state.
    private static func actions(_ push: Push, _ visit: Visit) -> [Node] {
        guard visit.may(.sender), let app = visit.app else { return [] }
        var changes: [(name: String, phrase: Phrase, question: Phrase?, tone: String)] = []
        switch push.state {
        case .scheduled, .running:
            changes = [("pause", .pause, nil, ""), ("cancel", .cancel, .cancelQuestion, "danger")]
        case .paused:
            changes = [("resume", .resume, nil, "primary"), ("cancel", .cancel, .cancelQuestion, "danger")]
        case .done, .cancelled: break
        }
        return changes.map { change in
            form(
                .class("inline"), .method("post"),
                .action(Link("apps", app.id, "pushes", push.objectID, change.name)),
                .data("confirm", change.question.map { visit($0) } ?? "")
            ) {
                visit.formToken
                button(.type("submit"), .class(change.tone)) { visit(change.phrase) }
            }
        } + [
            a(
                .class("button"), .href(Link("apps", app.id, "compose", query: [("from", push.objectID)]))
            ) { visit(.composeAgain) }
        ]
    }

    private static func timeline(
        _ push: Push, _ record: PushRecord, _ audits: [AuditEntry], _ visit: Visit
    ) -> Node {
        var steps: [(at: Instant, text: String)] = [(push.createdAt, visit(.accepted2))]
        steps.append((push.dueAt, visit(push.dueAt > visit.now ? .willBeDue : .wasDue)))
        for entry in audits {
            steps.append((entry.at, "\(entry.action) · \(entry.actor)"))
        }
        if let end = push.endedAt {
            steps.append((end, visit(push.state == .cancelled ? .stateCancelled : .lastOutcome)))
        }
        if let expires = push.expiresAt { steps.append((expires, visit(.expires))) }
        return ol(.class("timeline")) {
            for step in steps.sorted(by: { $0.at < $1.at }) {
                li {
                    visit.time(step.at)
                    span { step.text }
                }
            }
            if let queueing = record.queueing {
                li(.class("muted")) {
                    visit(.queueTimes, String(queueing.median), String(queueing.percentile99))
                }
            }
        }
    }

    private static func facts(_ push: Push, _ visit: Visit) -> Node {
        let request = push.request
        return dl(.class("facts")) {
            fact(visit(.audience), AudienceText.text(request, visit))
            if let filter = request.filter {
                dt { visit(.condition) }
                dd { code { JSONText.line(filter.json) } }
            }
            fact(visit(.environment), EnvironmentText.text(request.environment, visit))
            fact(visit(.time), AudienceText.time(request, visit))
            if let perSecond = request.devicesPerSecondMax {
                fact(visit(.pace), visit(.perSecond, NumberText.grouped(perSecond)))
            }
            if let topic = request.topic { fact("Topic", topic) }
            fact("ID", push.objectID)
            if push.recordID != push.objectID { fact(visit(.recordID), push.recordID) }
        }
    }

    private static func fact(_ name: String, _ value: String) -> Node {
        .group([dt { name }, dd { value }])
    }

    // MARK: - Audience

    /// How its devices divide: what became of them, or, before there are any, whom it would reach.
    private static func division(_ push: Push, _ record: PushRecord, _ app: App, _ visit: Visit) -> Node {
        let isSent = record.deviceCount > 0
        let link = Link("apps", app.id, "pushes", push.objectID, isSent ? "outcomes" : "audience")
        // What goes on is told anew; nobody has to load the page again.
        let refresh: [Attribute] =
            isSent && !record.pushes.allSatisfy(\.state.isFinal)
            ? [.data("refresh", link), .data("seconds", "15")] : []
        return section(.class("card")) {
            h2 { visit(isSent ? .outcomesBy : .audienceNow) }
            if !isSent { p(.class("muted")) { visit(.audienceNowLead) } }
            Node.element(
                "div", [.id("division"), .class("loading"), .data("load", link)] + refresh,
                [p(.class("counting")) { visit(.counting) }])
        }
    }

    /// What became of its devices by environment, language and zone; looks at every device, so it is fetched.
    static func outcomes(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        guard
            let push = try await console.store.push(
                objectID: visit.parameters["push"], app: app.number), hasAudience(push.request)
        else { throw ConsoleRefusal.nothing }
        let entry = try await console.divisions.division(
            of: push.recordID, isEnded: push.state.isFinal, app: app.number, store: console.store,
            now: visit.now)
        return visit.fragment(OutcomeBreakdown(entry: entry, visit: visit).nodes)
    }

    /// Whether a push goes to whoever matches: tokens are a list, and who follows a broadcast is known to APNs alone.
    private static func hasAudience(_ request: PushRequest) -> Bool {
        request.deviceTokens == nil && request.broadcastChannel == nil
    }

    /// How the audience divides; reads every device that matches, so it is fetched.
    static func audience(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        guard
            let push = try await console.store.push(
                objectID: visit.parameters["push"], app: app.number), hasAudience(push.request)
        else { throw ConsoleRefusal.nothing }
        let count = try await console.audiences.count(
            of: push.request, app: app, store: console.store, now: visit.now)
        return visit.fragment([AudienceBreakdown(count: count, visit: visit).node])
    }

    // MARK: - Live

    /// What changes, once; for browsers without streams.
    static func live(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let (_, record) = try await find(console, visit)
        return visit.fragment(LiveView(record: record, language: visit.language).nodes)
    }

    /// What changes, as it changes.
    static func stream(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        ConsoleHeaders.events(
            try await console.watch.open(
                visit.parameters["push"], app: try visit.ofApp.number, language: visit.language))
    }

    // MARK: - Changes

    static func change(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let id = visit.parameters["push"]
        let change = visit.parameters["change"]
        guard ["pause", "resume", "cancel"].contains(change) else { throw ConsoleRefusal.nothing }
        _ = try await console.api.perform(
            "POST", "/1.1/pushes/\(id)/\(change)", app: app, actor: visit.actor)
        await console.watch.refresh()
        return ConsoleHeaders.redirect(to: Link("apps", app.id, "pushes", id))
    }
}
