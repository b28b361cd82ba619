internal import PushStore
internal import Recurrence
internal import Transport

/// Who changed what.
enum AuditPage {
    private static let rowCount = 200

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let entries = try await console.store.auditLog(app: nil, limit: rowCount)
        let names = Dictionary(
            visit.apps.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        let page = Page(visit(.auditLog), .audit) {
            div(.class("card flush scroll"), .tabindex(0), .role("region"), .aria("label", visit(.auditLog)))
            {
                table {
                    thead {
                        tr {
                            th(.scope("col")) { visit(.time) }
                            th(.scope("col")) { visit(.who) }
                            th(.scope("col")) { visit(.what) }
                            th(.scope("col")) { visit(.which) }
                            th(.scope("col")) { visit(.app) }
                        }
                    }
                    tbody {
                        for entry in entries {
                            tr {
                                td(.class("time")) { visit.time(entry.at) }
                                td(.class("nowrap")) { actor(entry.actor, visit) }
                                td(.class("nowrap")) { code { entry.action } }
                                td { entry.detail }
                                td { entry.app.flatMap { names[$0] } ?? "–" }
                            }
                        }
                    }
                }
            }
        }
        return console.frame(page, visit)
    }

    /// Who it was, in the visitor's language.
    private static func actor(_ actor: String, _ visit: Visit) -> String {
        let prefix = "console: "
        if actor.hasPrefix(prefix) { return visit(.actorConsole, String(actor.dropFirst(prefix.count))) }
        return switch actor {
        case "command line": visit(.actorCommandLine)
        case "master key": visit(.actorMasterKey)
        case "app key": visit(.actorAppKey)
        case "set-up link": visit(.actorSetUp)
        default: actor
        }
    }
}
