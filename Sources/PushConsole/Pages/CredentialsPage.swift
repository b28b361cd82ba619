internal import APNs
internal import Crypto
internal import PushService
internal import PushStore
internal import Recurrence
internal import Transport

/// An app's credentials for APNs, its own keys and its settings.
enum CredentialsPage {
    /// How long a former key stays valid beside a new one, in days.
    private static let overlapDays: [Int64] = [0, 1, 7, 30, 90, 365]

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        try await page(console, visit)
    }

    /// What the page says at its top.
    private enum Notice {
        case bad(String)
        /// A new key, shown once.
        case key(AppKey.Kind, String)
    }

    private static func page(
        _ console: Console, _ visit: Visit, notice: Notice? = nil, status: Int = 200
    ) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let credentials = try await console.store.credentials(app: app.number)
        let keys = try await console.store.keys(app: app.number, now: visit.now)
        var page = Page(visit(.credentials), .credentials) {
            switch notice {
            case .bad(let text)?: p(.class("notice bad"), .role("alert")) { text }
            case .key(let kind, let secret)?:
                div(.class("secret stack"), .role("status")) {
                    p { visit(kind == .master ? .newMasterKey : .newAppKey) }
                    pre { secret }
                    p(.class("hint")) { visit(.shownOnce) }
                }
            case nil: Node.none
            }
            section(.class("card")) {
                h2 { visit(.apnsCredentials) }
                if credentials.isEmpty {
                    p(.class("notice bad")) { visit(.noCredentials) + " " + visit(.noCredentialsLead) }
                }
                for credential in credentials { credentialNode(credential, app, visit) }
            }
            if visit.may(.owner) { addForm(app, visit) }
            div(.class("columns")) {
                section(.class("card")) {
                    h2 { visit(.appKeys) }
                    keyList(keys, app, visit)
                }
                AppSettingsForm.node(app, visit)
            }
        }
        page.status = status
        page.lead = [.text("\(app.name) · "), code { app.id }]
        return console.frame(page, visit)
    }

    // MARK: - Credentials

    private static func credentialNode(_ credential: PushCredential, _ app: App, _ visit: Visit) -> Node {
        let name = CredentialText.name(credential, visit)
        return div(.class("credential")) {
            div(.class("page-line")) {
                h3 {
                    name
                    " "
                    checkBadge(credential.check, visit)
                }
                if visit.may(.owner) {
                    div(.class("actions")) {
                        form(
                            .class("inline"), .method("post"),
                            .action(Link("apps", app.id, "credentials", String(credential.number), "check"))
                        ) {
                            visit.formToken
                            button(.type("submit"), .aria("label", "\(visit(.checkNow)): \(name)")) {
                                visit(.checkNow)
                            }
                        }
                        form(
                            .class("inline"), .method("post"),
                            .action(Link("apps", app.id, "credentials", String(credential.number), "remove")),
                            .data("confirm", visit(.removeCredentialQuestion, name))
                        ) {
                            visit.formToken
                            button(
                                .class("danger"), .type("submit"),
                                .aria("label", "\(visit(.remove)): \(name)")
                            ) {
                                visit(.remove)
                            }
                        }
                    }
                }
            }
            dl(.class("facts")) {
                dt { visit(.environment) }
                dd {
                    Environment.allCases.filter(credential.environments.contains)
                        .map { EnvironmentText.text($0, visit) }.joined(separator: visit(.listComma))
                }
                if let team = credential.teamID {
                    dt { visit(.team) }
                    dd { code { team } }
                }
                if !credential.topics.isEmpty {
                    dt { visit(.topics) }
                    dd { credential.topics.joined(separator: ", ") }
                }
                if let end = credential.expiresAt {
                    dt { visit(.expires) }
                    dd { visit.time(end) }
                }
                if let check = credential.check {
                    dt { visit(.lastCheck) }
                    dd {
                        visit.time(Instant(millisecondsSince1970: check.atMilliseconds))
                        span(.class("sub")) { CredentialText.check(check, visit) }
                    }
                }
            }
        }
    }

    private static func checkBadge(_ check: PushCredential.Check?, _ visit: Visit) -> Node {
        switch check {
        case nil: span(.class("badge plain")) { visit(.notChecked) }
        case .some(let check) where check.isGood: span(.class("badge good")) { visit(.knownToAPNs) }
        case .some: span(.class("badge bad")) { visit(.notKnownToAPNs) }
        }
    }

    private static func addForm(_ app: App, _ visit: Visit) -> Node {
        section(.class("card")) {
            h2 { visit(.addCredential) }
            p(.class("muted")) { visit(.addCredentialLead) }
            form(.method("post"), .action(Link("apps", app.id, "credentials"))) {
                visit.formToken
                div(.class("drop"), .data("drop", "field-file"), .data("drop-name", "field-key-id")) {
                    label(.for("credential-file")) { visit(.dropHere) }
                    input(
                        .type("file"), .id("credential-file"),
                        .accept(".p8,.p12,.pfx,.pem"))
                    p(.class("muted"), .data("drop-said", "1"), .role("status")) {}
                }
                div(.class("grid-form")) {
                    Field.text(
                        "key-id", visit(.keyID), hint: visit(.keyIDHint), .maxlength(10), .autocomplete("off")
                    )
                    Field.text(
                        "team-id", visit(.team), hint: visit(.keyIDHint), .maxlength(10), .autocomplete("off")
                    )
                    Field.text(
                        "file-password", visit(.filePassword), type: "password",
                        hint: visit(.certificateOnly),
                        .autocomplete("off"))
                    Field.choice(
                        "environments", visit(.environment),
                        [
                            ("both", visit(.anyEnvironment)), ("production", visit(.production)),
                            ("sandbox", visit(.sandbox)),
                        ])
                }
                details {
                    summary { visit(.orPaste) }
                    Field.area("file", visit(.fileText), rows: 6, .autocomplete("off"))
                }
                button(.class("primary"), .type("submit")) { visit(.addAndCheck) }
            }
        }
    }

    static func add(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        do {
            var credential = try read(visit)
            var refusal: String?
            if let probe = console.configuration.probe {
                let verdicts = try await probe.check(credential, topic: app.topic)
                let check = verdicts.stored(atMilliseconds: visit.now.millisecondsSince1970)
                credential.check = check
                if verdicts.isRefused { refusal = CredentialText.check(check, visit) }
            }
            if let refusal {
                return try await page(
                    console, visit, notice: .bad(visit(.refusedByAPNs, refusal)), status: 400)
            }
            let number = try await console.store.addCredential(credential, app: app.number)
            try await console.audit("credential.add", "\(number)", visit)
            return ConsoleHeaders.redirect(to: Link("apps", app.id, "credentials"))
        } catch let error as CredentialError {
            return try await page(
                console, visit, notice: .bad(ErrorText.text(error.message, in: visit.language)), status: 400)
        }
    }

    private static func read(_ visit: Visit) throws(CredentialError) -> PushCredential {
        let text = visit.form["file"]
        var bytes = Array(text.utf8)
        if text.hasPrefix("base64:") {
            bytes = Base64.decode(Array(text.dropFirst("base64:".count).utf8), .standard) ?? []
        }
        guard !bytes.isEmpty else { throw CredentialError(visit(.fileMissing)) }
        let environments: Set<Environment>? =
            switch visit.form["environments"] {
            case "production": [.production]
            case "sandbox": [.sandbox]
            default: nil
            }
        // A .p8 is one private key and nothing else.
        let isKey = text.contains("-----BEGIN PRIVATE KEY-----") && !text.contains("CERTIFICATE")
        guard isKey else {
            let password = visit.form["file-password"]
            return try PushCredential(
                certificateFile: bytes, password: password.isEmpty ? nil : password,
                environments: environments,
                now: visit.now)
        }
        return try PushCredential(
            p8: bytes, keyID: visit.form.trimmed("key-id"), teamID: visit.form.trimmed("team-id"),
            environments: environments ?? [.production, .sandbox], now: visit.now)
    }

    private static func credential(_ console: Console, _ visit: Visit) async throws -> PushCredential {
        let number = Int64(visit.parameters["number"])
        let all = try await console.store.credentials(app: try visit.ofApp.number)
        guard let credential = all.first(where: { $0.number == number }) else { throw ConsoleRefusal.nothing }
        return credential
    }

    static func check(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let credential = try await credential(console, visit)
        guard let probe = console.configuration.probe else { throw ConsoleRefusal(400, .cannotCheck) }
        let verdicts = try await probe.check(credential, topic: app.topic)
        try await console.store.storeCheck(
            verdicts.stored(atMilliseconds: visit.now.millisecondsSince1970), credential: credential.number)
        try await console.audit("credential.check", "\(credential.number)", visit)
        return ConsoleHeaders.redirect(to: Link("apps", app.id, "credentials"))
    }

    static func remove(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let credential = try await credential(console, visit)
        try await console.store.removeCredential(number: credential.number, app: app.number)
        try await console.audit("credential.remove", "\(credential.number)", visit)
        return ConsoleHeaders.redirect(to: Link("apps", app.id, "credentials"))
    }

    // MARK: - The app's own keys

    private static func keyList(_ keys: [AppKey], _ app: App, _ visit: Visit) -> [Node] {
        var nodes: [Node] = []
        for kind in AppKey.Kind.allCases {
            nodes.append(
                div(.class("credential stack")) {
                    h3 { visit(kind == .master ? .masterKey : .appKey) }
                    for key in keys where key.kind == kind {
                        p {
                            // Enough to tell keys apart, too little to use one.
                            code { "\(key.secret.prefix(4))…" }
                            " "
                            span(.class("muted")) {
                                visit(.since) + " "
                                visit.time(key.createdAt)
                                if let end = key.expiresAt {
                                    " · " + visit(.validUntil) + " "
                                    visit.time(end)
                                }
                            }
                        }
                    }
                    if visit.may(.owner) {
                        form(
                            .class("row-form"), .method("post"), .action(Link("apps", app.id, "keys")),
                            .data("confirm", visit(.rotateQuestion))
                        ) {
                            visit.formToken
                            input(.type("hidden"), .name("kind"), .value(kind.rawValue))
                            Field.choice(
                                "overlap", visit(.formerValidFor),
                                overlapDays.map {
                                    (
                                        String($0),
                                        $0 == 0 ? visit(.atOnceEnds) : visit(.dayCount, count: Int($0))
                                    )
                                },
                                selected: kind == .master ? "7" : "365", id: "overlap-\(kind.rawValue)")
                            button(.type("submit")) { visit(.rotate) }
                        }
                    }
                })
        }
        return nodes
    }

    static func rotate(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        guard let kind = AppKey.Kind(rawValue: visit.form["kind"]), let days = Int64(visit.form["overlap"]),
            overlapDays.contains(days)
        else { throw ConsoleRefusal(400, .malformedForm) }
        let secret = RandomText.alphanumeric(count: 24)
        let end = visit.now.advanced(bySeconds: days * 86_400)
        try await console.store.rotateKey(
            app: app.number, kind: kind, secret: secret, formerValidUntil: end, now: visit.now)
        try await console.audit("key.rotate", "\(kind.rawValue) key, the former until \(end.iso8601)", visit)
        return try await page(console, visit, notice: .key(kind, secret))
    }

    // MARK: - Settings

    static func saveSettings(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let changed: App
        do {
            changed = try AppSettingsForm.read(visit.form, app)
            try await console.store.updateApp(changed, now: visit.now)
        } catch {
            let refusal = ConsoleRefusal(any: error)
            return try await page(
                console, visit, notice: .bad(refusal.text(visit)), status: refusal.status)
        }
        let changes = AppSettingsForm.changes(from: app, to: changed)
        if !changes.isEmpty { try await console.audit("app.update", "\(app.id): \(changes)", visit) }
        return ConsoleHeaders.redirect(to: Link("apps", app.id, "credentials"))
    }
}
