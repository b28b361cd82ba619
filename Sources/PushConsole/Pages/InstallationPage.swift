internal import APNs
internal import PushStore
internal import Recurrence
internal import Transport

/// One installation: what is stored, what its user cares for, which pushes it got.
enum InstallationPage {
    /// How many of the newest pushes are looked through for this device.
    private static let pushCount = 15

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let id = visit.parameters["installation"]
        guard let row = try await console.store.installation(objectID: id, app: app.number) else {
            throw ConsoleRefusal.nothing
        }
        let interests = try await console.store.interests(
            objectID: id, app: app.number, now: visit.now)
        var page = Page(row.objectID, .installations) {
            div(.class("columns")) {
                section(.class("card")) {
                    h2 { visit(.device) }
                    facts(row, visit)
                }
                section(.class("card")) {
                    h2 { visit(.ownFields) }
                    if row.attributes.isEmpty {
                        p(.class("muted")) { visit(.none) }
                    } else {
                        dl(.class("facts")) {
                            for (key, value) in row.attributes.sorted(by: { $0.key < $1.key }) {
                                dt { key }
                                dd { code { JSONText.line(value) } }
                            }
                        }
                    }
                    if !interests.isEmpty {
                        h2 { visit(.interests) }
                        dl(.class("facts")) {
                            for interest in interests.prefix(12) {
                                dt { interest.tag }
                                dd {
                                    progress(
                                        .max("100"), .value(String(Int(interest.value * 100))),
                                        .aria("label", interest.tag))
                                    " "
                                    span(.class("muted")) { "\(Int(interest.value * 100))%" }
                                }
                            }
                        }
                    }
                }
            }
            section(.class("card")) {
                h2 { visit(.history) }
                div(
                    .class("loading"), .data("load", Link("apps", app.id, "installations", id, "history"))
                ) {
                    p { visit(.loading) }
                }
            }
        }
        page.trail = [(visit(.installations), Link("apps", app.id, "installations"))]
        page.lead = [
            .text([row.deviceType, row.locale, row.timeZone].compactMap(\.self).joined(separator: " · "))
        ]
        return console.frame(page, visit)
    }

    private static func facts(_ row: Installation, _ visit: Visit) -> Node {
        dl(.class("facts")) {
            fact(visit(.mayBeSent), visit(row.isValid ? .yes : .no))
            // A whole token would let whoever reads over a shoulder send to the device.
            fact(visit(.deviceToken), row.deviceToken.map { "\($0.prefix(8))…" } ?? "–")
            fact(
                visit(.environment),
                row.environment.map { EnvironmentText.text($0, visit) } ?? visit(.unknown))
            fact(visit(.channels), row.channels.isEmpty ? "–" : row.channels.joined(separator: ", "))
            fact(visit(.badge), String(row.badge))
            if let topic = row.apnsTopic { fact("Topic", topic) }
            if let team = row.apnsTeamID { fact(visit(.team), team) }
            if let installationID = row.installationID { fact("installationId", installationID) }
            dt { visit(.created) }
            dd { visit.time(row.createdAt) }
            dt { visit(.updated) }
            dd { visit.time(row.updatedAt) }
            if let at = row.tokenRegisteredAt {
                dt { visit(.tokenRegistered) }
                dd { visit.time(at) }
            }
        }
    }

    private static func fact(_ name: String, _ value: String) -> Node {
        .group([dt { name }, dd { value }])
    }

    /// What became of this device in the newest pushes; a part of the page.
    static func history(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let id = visit.parameters["installation"]
        let pushes = try await console.store.pushes(before: nil, limit: pushCount, app: app.number)
        let found: [(push: Push, evidence: DeliveryEvidence)] = try await console.searches.pass {
            var found: [(push: Push, evidence: DeliveryEvidence)] = []
            for push in pushes where push.request.schedule == nil {
                guard
                    let evidence = try await console.store.evidence(
                        push: push.objectID, installation: id, app: app.number),
                    !evidence.placements.isEmpty
                else { continue }
                found.append((push, evidence))
            }
            return found
        }
        guard !found.isEmpty else {
            return visit.fragment([p(.class("muted")) { visit(.noHistory) }])
        }
        return visit.fragment([
            div(.class("scroll"), .tabindex(0), .role("region"), .aria("label", visit(.history))) {
                table {
                    thead {
                        tr {
                            th(.scope("col")) { visit(.message) }
                            th(.scope("col")) { visit(.time) }
                            th(.scope("col")) { visit(.outcome) }
                            th(.scope("col")) { visit(.opened) }
                            th(.scope("col")) { visit(.explain) }
                        }
                    }
                    tbody {
                        for item in found { historyRow(item.push, item.evidence, id, app, visit) }
                    }
                }
            }
        ])
    }

    private static func historyRow(
        _ push: Push, _ evidence: DeliveryEvidence, _ id: String, _ app: App, _ visit: Visit
    ) -> Node {
        let outcome = evidence.placements.last?.outcome ?? .pending
        return tr {
            th(.scope("row"), .class("message")) {
                a(.href(Link("apps", app.id, "pushes", push.objectID))) {
                    MessageText(push.request.data).line ?? visit(.silentPush)
                }
            }
            td(.class("time")) { visit.time(push.dueAt) }
            td {
                span(.class("dot \(OutcomeText.tone(outcome).rawValue)"), .aria("hidden", "true"))
                OutcomeText.name(outcome, visit.language)
            }
            td { evidence.openedAt.map { visit.time($0) } ?? .text("–") }
            td {
                a(
                    .href(
                        Link(
                            "apps", app.id, "explain", query: [("push", push.objectID), ("installation", id)])
                    ),
                    .aria(
                        "label", "\(visit(.explain)): \(MessageText(push.request.data).line ?? push.objectID)"
                    )
                ) { visit(.why) }
            }
        }
    }
}
