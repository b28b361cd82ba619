internal import PushStore
internal import Recurrence
internal import Transport

/// Who may use the console, and as what.
enum UsersPage {
    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        try await page(console, visit)
    }

    private static func page(
        _ console: Console, _ visit: Visit, notice: String? = nil, status: Int = 200
    ) async throws -> HTTPResponse {
        let users = try await console.store.consoleUsers()
        var page = Page(visit(.users), .users) {
            if let notice { p(.class("notice bad"), .role("alert")) { notice } }
            div(.class("card flush scroll"), .tabindex(0), .role("region"), .aria("label", visit(.users))) {
                table {
                    thead {
                        tr {
                            th(.scope("col")) { visit(.userName) }
                            th(.scope("col")) { visit(.role) }
                            th(.scope("col"), .class("wide-only")) { visit(.signedIn) }
                            th(.scope("col")) { span(.class("sr-only")) { visit(.remove) } }
                        }
                    }
                    tbody { for user in users { row(user, visit) } }
                }
            }
            section(.class("card")) {
                h2 { visit(.addUser) }
                form(.class("row-form"), .method("post"), .action(Link("users"))) {
                    visit.formToken
                    Field.text(
                        "name", visit(.userName), value: visit.form.trimmed("name"), .flag("required"),
                        .autocomplete("off"))
                    Field.text(
                        "password", visit(.password), type: "password", .flag("required"),
                        .autocomplete("new-password"))
                    Field.choice("role", visit(.role), roles(visit), selected: "viewer")
                    button(.class("primary"), .type("submit")) { visit(.add) }
                }
                p(.class("hint")) { visit(.passwordHint, count: PasswordHash.countMin) }
                dl(.class("facts")) {
                    for role in ConsoleUser.Role.allCases {
                        dt { visit(name(role)) }
                        dd { visit(meaning(role)) }
                    }
                }
            }
            section(.class("card")) {
                h2 { visit(.changePassword) }
                form(.class("row-form"), .method("post"), .action(Link("users", "password"))) {
                    visit.formToken
                    Field.choice(
                        "user", visit(.userName), users.map { ($0.name, $0.name) },
                        selected: visit.signedIn?.user.name ?? "")
                    Field.text(
                        "new-password", visit(.newPassword), type: "password", .flag("required"),
                        .autocomplete("new-password"))
                    button(.type("submit")) { visit(.save) }
                }
            }
        }
        page.status = status
        return console.frame(page, visit)
    }

    private static func row(_ user: ConsoleUser, _ visit: Visit) -> Node {
        tr {
            th(.scope("row")) { user.name }
            td { visit(name(user.role)) }
            td(.class("time wide-only")) { user.signedInAt.map { visit.time($0) } ?? .text(visit(.never)) }
            td(.class("number")) {
                if user.name != visit.signedIn?.user.name {
                    form(
                        .class("inline"), .method("post"), .action(Link("users", "remove")),
                        .data("confirm", visit(.removeUserQuestion, user.name))
                    ) {
                        visit.formToken
                        input(.type("hidden"), .name("user"), .value(user.name))
                        button(
                            .class("danger"), .type("submit"),
                            .aria("label", "\(visit(.remove)): \(user.name)")
                        ) {
                            visit(.remove)
                        }
                    }
                }
            }
        }
    }

    private static func roles(_ visit: Visit) -> [(String, String)] {
        ConsoleUser.Role.allCases.map { ($0.rawValue, visit(name($0))) }
    }

    private static func name(_ role: ConsoleUser.Role) -> Phrase {
        switch role {
        case .viewer: .roleViewer
        case .sender: .roleSender
        case .owner: .roleOwner
        }
    }

    private static func meaning(_ role: ConsoleUser.Role) -> Phrase {
        switch role {
        case .viewer: .roleViewerMay
        case .sender: .roleSenderMay
        case .owner: .roleOwnerMay
        }
    }

    // MARK: - Changes

    static func add(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let password = visit.form["password"]
        guard let role = ConsoleUser.Role(rawValue: visit.form["role"]) else {
            throw ConsoleRefusal(400, .malformedForm)
        }
        guard PasswordHash.fault(of: password) == nil else {
            return try await page(
                console, visit, notice: visit(.passwordHint, count: PasswordHash.countMin), status: 400)
        }
        let user = ConsoleUser(
            name: visit.form.trimmed("name"), role: role, passwordHash: await PasswordHash.make(password),
            createdAt: visit.now)
        do {
            try await console.store.addConsoleUser(user, onlyFirst: false)
        } catch {
            return try await page(
                console, visit, notice: ConsoleRefusal(error).text(visit),
                status: ConsoleRefusal(error).status)
        }
        try await console.audit("console.user.add", "\(user.name), \(role.rawValue)", visit)
        return ConsoleHeaders.redirect(to: Link("users"))
    }

    static func remove(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let name = visit.form["user"]
        do {
            guard try await console.store.removeConsoleUser(name: name) else { throw ConsoleRefusal.nothing }
        } catch let error as StoreError {
            return try await page(
                console, visit, notice: ConsoleRefusal(error).text(visit),
                status: ConsoleRefusal(error).status)
        }
        try await console.audit("console.user.remove", name, visit)
        return ConsoleHeaders.redirect(to: Link("users"))
    }

    static func setPassword(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let password = visit.form["new-password"]
        guard PasswordHash.fault(of: password) == nil else {
            return try await page(
                console, visit, notice: visit(.passwordHint, count: PasswordHash.countMin), status: 400)
        }
        guard var user = try await console.store.consoleUser(name: visit.form["user"]) else {
            throw ConsoleRefusal.nothing
        }
        user.passwordHash = await PasswordHash.make(password)
        try await console.store.updateConsoleUser(user)
        try await console.audit("console.user.password", user.name, visit)
        return ConsoleHeaders.redirect(to: Link("users"))
    }
}
