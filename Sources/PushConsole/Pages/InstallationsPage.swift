internal import APNs
internal import PushStore
internal import Recurrence
internal import Transport

/// Installations: the newest, or those a search finds.
enum InstallationsPage {
    static let rowCount = 30

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let text = visit.query("q").trimmingBlanks
        let rows: [Installation]?
        var results: Link?
        if text.isEmpty {
            rows = try await console.store.newestInstallations(limit: rowCount, app: app.number)
        } else if let exact = try await exact(text, console, app, visit) {
            rows = exact
        } else {
            // What has to look at many rows is fetched, so that the page is there at once.
            rows = nil
            results = Link("apps", app.id, "installations", "results", query: [("q", text)])
        }
        let page = Page(visit(.installations), .installations) {
            form(
                .class("card row-form search-form"), .method("get"),
                .action(Link("apps", app.id, "installations")), .role("search")
            ) {
                Field.text("q", visit(.searchFor), value: text, type: "search", hint: visit(.searchHint))
                button(.type("submit"), .class("primary")) { visit(.search) }
            }
            if let rows { listing(rows, visit) }
            if let results {
                div(.class("loading"), .data("load", results)) { p { visit(.searching) } }
            }
        }
        return console.frame(page, visit)
    }

    /// The rows with an id or token, which an index finds; nil when the text is something else.
    private static func exact(
        _ text: String, _ console: Console, _ app: App, _ visit: Visit
    ) async throws -> [Installation]? {
        if let row = try await console.store.installation(objectID: text, app: app.number) { return [row] }
        var conditions: [JSONValue] = []
        if text.utf8.count >= 32, text.utf8.allSatisfy(isHexadecimal) {
            conditions.append(["deviceToken": .string(text.lowercased())])
        }
        if !text.contains("="), !text.hasPrefix("{") {
            conditions.append(["installationId": .string(text)])
        }
        for condition in conditions {
            let rows = try await console.store.installations(
                InstallationFind(filter: try WhereClause(condition), limit: rowCount), app: app.number,
                now: visit.now)
            if !rows.isEmpty { return rows }
        }
        return nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
    }

    /// The rows a condition finds; a part of the page.
    static func results(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let filter: WhereClause
        do {
            filter = try WhereClause(try condition(visit.query("q").trimmingBlanks))
        } catch {
            let text = ConsoleRefusal(any: error).text(visit)
            return visit.fragment([p(.class("notice warn"), .role("alert")) { text }])
        }
        let rows = try await console.searches.pass {
            try await console.store.scanInstallations(
                filter, after: 0, limit: rowCount, app: app.number, now: visit.now)
        }
        return visit.fragment([listing(rows, visit)])
    }

    /// `field = value`, `field > value`, a condition as JSON, or a value of a few well-known fields.
    static func condition(_ text: String) throws -> JSONValue {
        if text.hasPrefix("{") {
            guard let json = try? JSONValue(parsing: text), case .object = json else {
                throw ConsoleRefusal(400, .badConditionJSON)
            }
            return json
        }
        for (sign, comparison) in [
            ("!=", Condition.Comparison.differs), (">", .greater), ("<", .less), ("~", .contains),
            ("=", .equals),
        ] {
            let parts = text.split(separator: sign, maxSplits: 1).map(\.trimmingBlanks)
            guard parts.count == 2, text.contains(sign) else { continue }
            let row = Condition(field: parts[0], comparison: comparison, value: parts[1])
            return try Condition.json([row]).first ?? [:]
        }
        return [
            "$or": [
                ["channels": .string(text)],
                ["deviceToken": ["$regex": .string("^" + Condition.quoted(text.lowercased()))]],
                ["name": .string(text)], ["user": .string(text)], ["username": .string(text)],
            ]
        ]
    }

    static func listing(_ rows: [Installation], _ visit: Visit) -> Node {
        guard !rows.isEmpty, let app = visit.app else {
            return div(.class("card empty")) { p { visit(.nothingFound) } }
        }
        return div(
            .class("card flush scroll"), .tabindex(0), .role("region"), .aria("label", visit(.installations))
        ) {
            table {
                thead {
                    tr {
                        th(.scope("col")) { "objectId" }
                        th(.scope("col")) { visit(.device) }
                        th(.scope("col")) { visit(.zone) }
                        th(.scope("col")) { visit(.channels) }
                        th(.scope("col")) { visit(.environment) }
                        th(.scope("col")) { visit(.updated) }
                    }
                }
                tbody {
                    for row in rows {
                        tr {
                            th(.scope("row"), .class("nowrap")) {
                                a(.href(Link("apps", app.id, "installations", row.objectID))) {
                                    code { row.objectID }
                                }
                            }
                            td(.class("nowrap")) {
                                [row.deviceType, row.locale].compactMap(\.self).joined(separator: " · ")
                                if !row.isValid { span(.class("badge warn")) { visit(.optedOut) } }
                            }
                            td(.class("nowrap")) { row.timeZone ?? "–" }
                            td { row.channels.isEmpty ? "–" : row.channels.joined(separator: ", ") }
                            td { row.environment.map { EnvironmentText.text($0, visit) } ?? visit(.unknown) }
                            td(.class("time")) { visit.time(row.updatedAt) }
                        }
                    }
                }
            }
        }
    }
}
