internal import PushStore
internal import Recurrence
internal import Transport

/// The pushes of an app, newest first.
enum PushesPage {
    static let pageCount = 25
    /// How long a page may read counts; what is left is fetched by a script.
    private static let countingDuration = Duration.milliseconds(25)

    static func list(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let before = Int64(visit.query("before"))
        let pushes = try await console.store.pushes(
            before: before, limit: pageCount + 1, app: app.number)
        let rows = try await rows(Array(pushes.prefix(pageCount)), console, visit)
        var page = Page(visit(.pushes), .pushes) {
            if pushes.isEmpty {
                div(.class("card empty")) {
                    h2 { visit(.noPushes) }
                    p { visit(.noPushesLead) }
                }
            } else {
                listing(rows, visit)
            }
            nav(.class("pages"), .aria("label", visit(.pageTurning))) {
                if before != nil { a(.href(Link("apps", app.id, "pushes"))) { visit(.newest) } }
                if pushes.count > pageCount, let last = pushes.dropLast().last {
                    a(.href(Link("apps", app.id, "pushes", query: [("before", String(last.number))]))) {
                        visit(.older)
                    }
                }
            }
        }
        if visit.may(.sender) {
            page.actions = [
                a(.class("button primary"), .href(Link("apps", app.id, "compose"))) { visit(.compose) }
            ]
        }
        return console.frame(page, visit)
    }

    /// A table of pushes.
    static func listing(_ rows: [Node], _ visit: Visit) -> Node {
        div(.class("card flush scroll"), .tabindex(0), .role("region"), .aria("label", visit(.pushes))) {
            table {
                thead {
                    tr {
                        th(.scope("col")) { visit(.message) }
                        th(.scope("col")) { visit(.state) }
                        th(.scope("col"), .class("wide-only")) { visit(.due) }
                        th(.scope("col"), .class("number")) { visit(.devices) }
                        th(.scope("col"), .class("number")) { visit(.accepted) }
                        th(.scope("col"), .class("number")) { visit(.opened) }
                    }
                }
                tbody { rows }
            }
        }
    }

    /// Rows with the counts that can be had quickly.
    static func rows(_ pushes: [Push], _ console: Console, _ visit: Visit) async throws -> [Node] {
        let start = ContinuousClock.now
        var rows: [Node] = []
        for push in pushes {
            var record = console.records.known(push.recordID, app: push.app, now: visit.now)
            if record == nil, push.request.schedule == nil, start.duration(to: .now) < countingDuration {
                record = try await console.records.record(push.recordID, app: push.app, now: visit.now)
            }
            rows.append(try row(push, record, visit))
        }
        return rows
    }

    /// One row with its counts, for a script.
    static func row(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        guard let push = try await console.store.push(objectID: visit.parameters["push"], app: app.number)
        else { throw ConsoleRefusal.nothing }
        let record = try await console.records.record(push.recordID, app: app.number, now: visit.now)
        return visit.fragment([try row(push, record, visit)])
    }

    private static func row(_ push: Push, _ record: PushRecord?, _ visit: Visit) throws -> Node {
        let app = try visit.ofApp
        let text = MessageText(push.request.data)
        let link = Link("apps", app.id, "pushes", push.objectID)
        // Before its time a push has no devices yet, which is not the same as reaching none.
        let counted = push.state == .scheduled && record?.deviceCount == 0 ? nil : record
        let attributes: [Attribute] =
            record == nil && push.request.schedule == nil
            ? [.data("row", Link("apps", app.id, "pushes", push.objectID, "row"))] : []
        return .element(
            "tr", attributes,
            [
                th(.scope("row"), .class("message")) {
                    a(.href(link)) { text.line ?? visit(.silentPush) }
                    if text.title != nil, let body = text.body { span(.class("sub")) { body } }
                    span(.class("sub narrow-only")) { visit.time(push.dueAt) }
                },
                td {
                    OutcomeText.badge(push.state, visit.language)
                    if push.request.schedule != nil { span(.class("badge plain")) { visit(.recurring) } }
                    if push.error != nil { span(.class("badge bad")) { visit(.stopped) } }
                    if push.notes != nil { span(.class("badge warn")) { visit(.partlyLeftOut) } }
                },
                td(.class("time wide-only")) { visit.time(push.dueAt) },
                td(.class("number")) { counted.map { NumberText.grouped($0.deviceCount) } ?? "–" },
                td(.class("number")) {
                    counted.map { record in
                        record.deviceCount == 0
                            ? "–" : NumberText.percent(record.successCount, of: record.deviceCount)
                    } ?? "–"
                },
                td(.class("number")) { counted.map { NumberText.grouped($0.openCount) } ?? "–" },
            ])
    }
}
