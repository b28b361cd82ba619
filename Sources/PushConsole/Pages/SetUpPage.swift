internal import PushStore
internal import Transport

/// Making the first user, with the secret that the service printed when it started.
enum SetUpPage {
    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        guard try await console.store.consoleUsers().isEmpty else {
            return ConsoleHeaders.redirect(to: Link("sign-in"))
        }
        return page(console, visit)
    }

    private static func page(
        _ console: Console, _ visit: Visit, notice: String? = nil, status: Int = 200
    ) -> HTTPResponse {
        let secret = visit.form.has("secret") ? visit.form["secret"] : visit.query("secret")
        let isKnown = console.isSetUpSecret(secret)
        var page = Page(visit(.setUp)) {
            section(.class("card sign-in")) {
                h1 { visit(.setUpTitle) }
                p(.class("muted")) { visit(isKnown ? .setUpLead : .setUpNeedsLink) }
                if let notice { p(.class("notice bad"), .role("alert")) { notice } }
                if isKnown {
                    form(.method("post"), .action(Link("set-up"))) {
                        input(.type("hidden"), .name("csrf"), .value(secret))
                        input(.type("hidden"), .name("secret"), .value(secret))
                        Field.text(
                            "name", visit(.userName), value: visit.form.trimmed("name"),
                            .autocomplete("username"), .flag("required"), .flag("autofocus"))
                        Field.text(
                            "password", visit(.newPassword), type: "password",
                            hint: visit(.passwordHint, count: PasswordHash.countMin),
                            .autocomplete("new-password"), .flag("required"))
                        Field.text(
                            "again", visit(.passwordAgain), type: "password",
                            .autocomplete("new-password"), .flag("required"))
                        button(.class("primary wide"), .type("submit")) { visit(.createOwner) }
                    }
                } else {
                    pre { "belfry user add NAME --role owner" }
                }
            }
        }
        page.isAlone = true
        page.status = status
        var response = console.frame(page, visit)
        if isKnown {
            // The secret itself ties form and cookie: whoever has it may make the user.
            response.headers.append(
                (
                    "Set-Cookie",
                    "\(SignInPage.formCookieName)=\(secret); Path=/console; Max-Age=3600; HttpOnly; SameSite=Strict"
                ))
        }
        return response
    }

    static func create(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        guard console.isSetUpSecret(visit.form["secret"]) else { throw ConsoleRefusal(403, .setUpNeedsLink) }
        let password = visit.form["password"]
        if password != visit.form["again"] {
            return page(console, visit, notice: visit(.passwordsDiffer), status: 400)
        }
        if PasswordHash.fault(of: password) != nil {
            return page(
                console, visit, notice: visit(.passwordHint, count: PasswordHash.countMin), status: 400)
        }
        let user = ConsoleUser(
            name: visit.form.trimmed("name"), role: .owner, passwordHash: await PasswordHash.make(password),
            createdAt: visit.now)
        do {
            try await console.store.addConsoleUser(user, onlyFirst: true)
        } catch {
            return page(console, visit, notice: ConsoleRefusal(error).text(visit), status: 400)
        }
        try await console.audit("console.user.add", "\(user.name), owner", visit, actor: "set-up link")
        return try await SignInPage.begin(user, to: Link(), console, visit)
    }
}
