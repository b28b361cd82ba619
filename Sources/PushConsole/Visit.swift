internal import PushStore
internal import Recurrence
internal import Transport

/// One request to the console, with what is known of it.
struct Visit: Sendable {
    /// Who is signed in.
    struct SignedIn: Sendable {
        var user: ConsoleUser
        var secret: SessionSecret
    }

    let request: HTTPRequest
    let parameters: PathParameters
    let now: Instant
    let language: Language
    let signedIn: SignedIn?
    /// All apps.
    let apps: [App]
    /// The one that the page is about.
    let app: App?
    /// What was posted.
    let form: FormFields

    /// A text in the visitor's language.
    func callAsFunction(_ phrase: Phrase, _ values: String...) -> String {
        phrase.text(in: language, values)
    }

    /// A text about a number of things; the number is `{0}`.
    func callAsFunction(_ phrase: Phrase, count: Int, _ values: String...) -> String {
        phrase.text(in: language, [NumberText.grouped(count)] + values, count: count)
    }

    /// Whether the user may do what a role may.
    func may(_ role: ConsoleUser.Role) -> Bool { (signedIn?.user.role).map { $0 >= role } ?? false }

    /// The app, for pages that are about one.
    var ofApp: App {
        get throws(ConsoleRefusal) {
            guard let app else { throw .nothing }
            return app
        }
    }

    /// The app whose places are shown: the one the page is about, or the only one there is.
    var nearestApp: App? { app ?? (apps.count == 1 ? apps.first : nil) }

    /// Who is named in the audit log.
    var actor: String { "console: \(signedIn?.user.name ?? "?")" }

    /// A query parameter; empty without one.
    func query(_ name: String) -> String { request.queryValue(named: name) ?? "" }

    /// The address asked for, with its query, to come back to.
    var path: String {
        guard request.method == "GET" || request.method == "HEAD" else { return "/console" }
        let segments = request.pathSegments.dropFirst()
        return Link(segments: Array(segments), query: request.query.map { ($0.name, $0.value) }).text
    }

    /// The hidden field that proves that a form is one of ours.
    var formToken: Node {
        input(.type("hidden"), .name("csrf"), .value(signedIn?.secret.formToken ?? ""))
    }

    /// A time, which a script writes in the visitor's zone.
    func time(_ instant: Instant) -> Node {
        timeElement(.datetime(instant.iso8601WholeSeconds)) {
            Self.text(instant)
        }
    }

    /// A time in UTC: `2026-11-30 09:00 UTC`.
    static func text(_ instant: Instant) -> String {
        let text = instant.iso8601WholeSeconds
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }

    /// A time in UTC to the second: `2026-11-30 09:00:07 UTC`.
    static func text(toSecond instant: Instant) -> String {
        let text = instant.iso8601WholeSeconds
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + " UTC"
    }

    /// A part of a page as an answer.
    func fragment(_ nodes: [Node]) -> HTTPResponse {
        var bytes: [UInt8] = []
        for node in nodes { node.write(to: &bytes) }
        return ConsoleHeaders.page(bytes, language: language)
    }
}
