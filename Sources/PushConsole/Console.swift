internal import Crypto
internal import PushService
internal import PushStore
internal import Recurrence
internal import Synchronization
internal import Transport

/// What all pages of the console share, and what is checked before any of them is made.
final class Console: Sendable {
    let api: PushAPI
    let store: any Store
    let configuration: PushConsole.Configuration
    let limiter = Mutex(SignInLimiter())
    let audiences = AudienceShelf()
    let divisions = DivisionShelf()
    let series = SeriesShelf()
    let records: RecordShelf
    let watch: PushWatch
    /// For what has to look at many rows.
    let searches = Gate(capacity: 1, waitingCountMax: 16)
    /// For the gateway's control interface.
    let client = HTTPClient()
    /// The secret of the link by which the first user is made, while there is none.
    let setUpSecret = RandomText.alphanumeric(count: 32)
    private let now: @Sendable () -> Instant

    init(
        api: PushAPI, store: any Store, now: @escaping @Sendable () -> Instant,
        configuration: PushConsole.Configuration
    ) {
        self.api = api
        self.store = store
        self.now = now
        self.configuration = configuration
        records = RecordShelf(store: store)
        watch = PushWatch(store: store)
    }

    // MARK: - Requests

    /// Answers a request by its route: finds out who asks, and what is asked about.
    func respond(
        to request: HTTPRequest, _ parameters: PathParameters, by route: ConsoleRoute
    ) async -> HTTPResponse {
        var visit = Visit(
            request: request, parameters: parameters, now: now(), language: language(request), signedIn: nil,
            apps: [], app: nil, form: FormFields())
        do {
            // Before anything is read or changed of which this program does not know what it means now.
            if route.access != .anyone, store.incompatibility != nil { throw ConsoleRefusal(503, .outdated) }
            let signedIn = route.access == .anyone ? nil : try await signedIn(request)
            let form = try Self.form(of: request, signedIn, route)
            if case .role(let role) = route.access {
                guard let signedIn else { return await askToSignIn(visit) }
                visit = Visit(
                    request: request, parameters: parameters, now: visit.now, language: visit.language,
                    signedIn: signedIn, apps: [], app: nil, form: form)
                guard signedIn.user.role >= role else { throw ConsoleRefusal(403, .notAllowed) }
            }
            let apps = route.access == .anyone ? [] : try await store.apps()
            let app = route.hasApp ? apps.first { $0.id == parameters["app"] } : nil
            if route.hasApp, app == nil { throw ConsoleRefusal.nothing }
            visit = Visit(
                request: request, parameters: parameters, now: visit.now, language: visit.language,
                signedIn: signedIn, apps: apps, app: app, form: form)
            return try await route.handler(self, visit)
        } catch {
            let refusal = ConsoleRefusal(any: error)
            // What the page does not say is in the log; other refusals are the visitor's to read.
            if [500, 507].contains(refusal.status) { api.report(error, in: "console") }
            return self.refusal(refusal, visit)
        }
    }

    /// Reads and checks what was posted.
    private static func form(
        of request: HTTPRequest, _ signedIn: Visit.SignedIn?, _ route: ConsoleRoute
    ) throws(ConsoleRefusal) -> FormFields {
        guard request.method == "POST" else { return FormFields() }
        guard RequestOrigin.isOwn(request) else { throw ConsoleRefusal(403, .foreignForm) }
        guard let form = FormFields(body: request.body) else { throw ConsoleRefusal(400, .malformedForm) }
        switch route.access {
        case .anyone:
            // Nobody is signed in yet: the form has to have come with the cookie beside it.
            let cookie = request.cookie(named: SignInPage.formCookieName) ?? ""
            guard cookie.utf8.count >= 20, form["csrf"] == cookie else {
                throw ConsoleRefusal(403, .staleForm)
            }
        case .role:
            // Without a session the visitor is asked to sign in.
            guard let signedIn else { return form }
            guard signedIn.secret.isFormToken(form["csrf"]) else { throw ConsoleRefusal(403, .staleForm) }
        }
        return form
    }

    private func signedIn(
        _ request: HTTPRequest
    ) async throws -> Visit.SignedIn? {
        guard let secret = request.cookie(named: SessionSecret.cookieName).flatMap(SessionSecret.init),
            let found = try await store.consoleSession(digest: secret.digest, now: signInTime)
        else { return nil }
        return Visit.SignedIn(user: found.user, secret: secret)
    }

    private func language(_ request: HTTPRequest) -> Language {
        request.cookie(named: SignInPage.languageCookieName).flatMap(Language.init(rawValue:))
            ?? Language(accepting: request.headers.first(named: "accept-language") ?? "")
    }

    private func askToSignIn(_ visit: Visit) async -> HTTPResponse {
        if visit.request.method == "POST" || Self.isFetch(visit.request) {
            return refusal(ConsoleRefusal(401, .signInFirst), visit)
        }
        if visit.path == "/console", (try? await store.consoleUsers())?.isEmpty == true {
            return ConsoleHeaders.redirect(to: Link("set-up"))
        }
        return ConsoleHeaders.redirect(to: Link("sign-in", query: [("to", visit.path)]))
    }

    private static func isFetch(_ request: HTTPRequest) -> Bool {
        request.headers.first(named: "sec-fetch-dest") == "empty"
            || request.headers.first(named: "x-requested-with") == "fetch"
    }

    private func refusal(_ refusal: ConsoleRefusal, _ visit: Visit) -> HTTPResponse {
        let text = refusal.text(visit)
        if Self.isFetch(visit.request) {
            var response = visit.fragment([p(.class("notice bad"), .role("alert")) { text }])
            response.status = refusal.status
            return response
        }
        var page = Page(visit(.refusalTitle)) {
            p(.class("notice bad"), .role("alert")) { text }
            p { a(.href(Link())) { visit(.backToStart) } }
        }
        page.status = refusal.status
        page.isAlone = visit.signedIn == nil
        return frame(page, visit)
    }

    // MARK: - For handlers

    /// The time by which people stay signed in and attempts are counted.
    var signInTime: Instant { configuration.signInTime?() ?? now() }

    /// A page as an answer.
    func frame(_ page: Page, _ visit: Visit) -> HTTPResponse {
        PageFrame(
            visit: visit, page: page, outside: configuration.navigation,
            hasGateway: configuration.gatewayControl != nil
        ).response
    }

    /// Whether a text is the secret of the link for the first user.
    func isSetUpSecret(_ text: String) -> Bool {
        ConstantTime.areEqual(Array(text.utf8), Array(setUpSecret.utf8))
    }

    /// Notes an act of a visitor in the audit log.
    func audit(_ action: String, _ detail: String, _ visit: Visit, actor: String? = nil) async throws {
        try await store.recordAudit(
            AuditEntry(
                at: visit.now, app: visit.app?.number, actor: actor ?? visit.actor, action: action,
                detail: detail))
    }
}
