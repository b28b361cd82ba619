internal import PushStore
internal import Transport

/// The apps of the service, and where the console begins.
enum AppsPage {
    /// The overview of the only app, or the list of apps.
    static func start(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        guard visit.apps.count == 1, let app = visit.apps.first else {
            return ConsoleHeaders.redirect(to: Link("apps"))
        }
        return ConsoleHeaders.redirect(to: Link("apps", app.id, "overview"))
    }

    static func list(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let page = Page(visit(.apps), .apps) {
            if visit.apps.isEmpty {
                div(.class("card empty")) {
                    h2 { visit(.noApps) }
                    p { visit(.noAppsLead) }
                    pre { "belfry app create News --topic com.example.App" }
                }
            } else {
                ul(.class("cards")) {
                    for app in visit.apps {
                        li(.class("card app")) {
                            span(.class("app-icon"), .aria("hidden", "true")) {
                                String(app.name.prefix(1)).uppercased()
                            }
                            div {
                                h2 { a(.href(Link("apps", app.id, "overview"))) { app.name } }
                                p(.class("muted")) { code { app.topic } }
                            }
                        }
                    }
                }
            }
        }
        return console.frame(page, visit)
    }
}
