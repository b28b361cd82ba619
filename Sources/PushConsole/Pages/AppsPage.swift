internal import Crypto
internal import PushStore
internal import Recurrence
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
        page(console, visit)
    }

    /// What the page says at its top.
    private enum Notice {
        case bad(String)
        /// A new app with its keys, which are shown once.
        case made(App, appKey: String, masterKey: String)
    }

    private static func page(
        _ console: Console, _ visit: Visit, notice: Notice? = nil, status: Int = 200
    ) -> HTTPResponse {
        var page = Page(visit(.apps), .apps) {
            switch notice {
            case .bad(let text)?: p(.class("notice bad"), .role("alert")) { text }
            case .made(let app, let appKey, let masterKey)?:
                section(.class("secret stack"), .role("status")) {
                    p { visit(.appMade, app.name) }
                    pre { "id          \(app.id)\napp key     \(appKey)\nmaster key  \(masterKey)" }
                    p(.class("hint")) { visit(.shownOnce) }
                    p { a(.href(Link("apps", app.id, "credentials"))) { visit(.addCredential) } }
                }
            case nil: Node.none
            }
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
            if visit.may(.owner) {
                section(.class("card")) {
                    h2 { visit(.newApp) }
                    form(.class("row-form"), .method("post"), .action(Link("apps"))) {
                        visit.formToken
                        Field.text(
                            "app-name", visit(.name), value: visit.form.trimmed("app-name"), .flag("required")
                        )
                        Field.text(
                            "topic", visit(.topicField), value: visit.form.trimmed("topic"),
                            .flag("required"),
                            .placeholder("com.example.App"))
                        button(.class("primary"), .type("submit")) { visit(.add) }
                    }
                }
            }
        }
        page.status = status
        return console.frame(page, visit)
    }

    static func create(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let (appKey, masterKey) = (RandomText.alphanumeric(count: 24), RandomText.alphanumeric(count: 24))
        let app: App
        do {
            app = try await console.store.createApp(
                id: RandomText.alphanumeric(count: 24), name: visit.form.trimmed("app-name"),
                topic: visit.form.trimmed("topic"), appKey: appKey, masterKey: masterKey, now: visit.now)
        } catch {
            return page(console, visit, notice: .bad(ConsoleRefusal(error).text(visit)), status: 400)
        }
        try await console.store.recordAudit(
            AuditEntry(
                at: visit.now, app: app.number, actor: visit.actor, action: "app.create", detail: app.id))
        return page(console, visit, notice: .made(app, appKey: appKey, masterKey: masterKey))
    }
}
