internal import Crypto
internal import PushStore
internal import Recurrence
internal import Synchronization
internal import Transport

/// Signing in and out, and the language.
enum SignInPage {
    /// The cookie that the form for signing in has to come back with.
    static let formCookieName = "belfry_form"
    static let languageCookieName = "belfry_language"
    private static let formCookieSeconds = 3600
    private static let languageCookieSeconds = 365 * 86_400

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        if try await console.store.consoleUsers().isEmpty {
            return page(console, visit, notice: visit(.noUsersYet))
        }
        return page(console, visit)
    }

    private static func page(
        _ console: Console, _ visit: Visit, notice: String? = nil, name: String = "", status: Int = 200
    ) -> HTTPResponse {
        let secret = RandomText.alphanumeric(count: 32)
        let to = visit.form.has("to") ? visit.form["to"] : visit.query("to")
        var page = Page(visit(.signIn)) {
            section(.class("card sign-in")) {
                h1 { visit(.signInTitle) }
                p(.class("muted")) { visit(.signInLead) }
                if let notice { p(.class("notice bad"), .role("alert")) { notice } }
                form(.method("post"), .action(Link("sign-in"))) {
                    input(.type("hidden"), .name("csrf"), .value(secret))
                    input(.type("hidden"), .name("to"), .value(to))
                    Field.text(
                        "name", visit(.userName), value: name,
                        .autocomplete("username"), .flag("required"), .flag("autofocus", name.isEmpty))
                    Field.text(
                        "password", visit(.password), type: "password",
                        .autocomplete("current-password"), .flag("required"),
                        .flag("autofocus", !name.isEmpty))
                    button(.class("primary wide"), .type("submit")) { visit(.signIn) }
                }
            }
        }
        page.isAlone = true
        page.status = status
        var response = console.frame(page, visit)
        response.headers.append(
            (
                "Set-Cookie",
                cookie(
                    formCookieName, secret, seconds: formCookieSeconds, sameSite: "Strict", visit.request)
            ))
        return response
    }

    static func signIn(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let name = visit.form.trimmed("name")
        let wait = console.limiter.withLock {
            $0.attempt(name: name, address: visit.request.clientAddress, now: console.signInTime)
        }
        if let wait {
            var response = page(
                console, visit, notice: visit(.tooManyAttempts, count: wait), name: name, status: 429)
            response.headers.append(("Retry-After", String(wait)))
            return response
        }
        let user = try await console.store.consoleUser(name: name)
        guard await PasswordHash.matches(visit.form["password"], user?.passwordHash), let user else {
            try await console.audit(
                "console.refused", "user \(name.prefix(64)) from \(visit.request.clientAddress)", visit,
                actor: "console")
            return page(console, visit, notice: visit(.wrongPassword), name: name, status: 401)
        }
        console.limiter.withLock { $0.succeed(name: name) }
        return try await begin(user, to: Link(returning: visit.form["to"]) ?? Link(), console, visit)
    }

    /// Makes a session and gives its cookie.
    static func begin(
        _ user: ConsoleUser, to link: Link, _ console: Console, _ visit: Visit
    ) async throws -> HTTPResponse {
        let secret = SessionSecret.random()
        let now = console.signInTime
        try await console.store.addConsoleSession(
            ConsoleSession(
                digest: secret.digest, user: user.name, createdAt: now,
                expiresAt: now.advanced(bySeconds: SessionSecret.lifetimeSeconds)))
        try await console.audit(
            "console.sign-in", "from \(visit.request.clientAddress)", visit, actor: "console: \(user.name)")
        return ConsoleHeaders.redirect(
            to: link,
            cookies: [
                cookie(
                    SessionSecret.cookieName, secret.text, seconds: Int(SessionSecret.lifetimeSeconds),
                    sameSite: "Lax", visit.request),
                cookie(formCookieName, "", seconds: 0, sameSite: "Strict", visit.request),
            ])
    }

    static func signOut(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        if let signedIn = visit.signedIn {
            try await console.store.removeConsoleSession(digest: signedIn.secret.digest)
            try await console.audit("console.sign-out", "", visit)
        }
        return ConsoleHeaders.redirect(
            to: Link("sign-in"),
            cookies: [cookie(SessionSecret.cookieName, "", seconds: 0, sameSite: "Lax", visit.request)])
    }

    static func setLanguage(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        guard let language = Language(rawValue: visit.parameters["language"]) else {
            throw ConsoleRefusal.nothing
        }
        return ConsoleHeaders.redirect(
            to: Link(returning: visit.query("to")) ?? Link(),
            cookies: [
                cookie(
                    languageCookieName, language.rawValue, seconds: languageCookieSeconds, sameSite: "Lax",
                    visit.request)
            ])
    }

    /// A cookie that scripts cannot read (RFC 6265).
    private static func cookie(
        _ name: String, _ value: String, seconds: Int, sameSite: String, _ request: HTTPRequest
    ) -> String {
        "\(name)=\(value); Path=/console; Max-Age=\(seconds); HttpOnly; SameSite=\(sameSite)"
            + (RequestOrigin.isSecure(request) ? "; Secure" : "")
    }
}
