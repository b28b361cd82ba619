internal import Transport

/// Headers of the console's answers.
enum ConsoleHeaders {
    /// What a page may load: files of this server, and nothing written into the page itself.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private static let guards = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"), ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// A page or a part of one.
    static func page(_ bytes: [UInt8], status: Int = 200, language: Language) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Language", language.rawValue), ("Vary", "Cookie, Accept-Language"),
            ] + guards, body: .bytes(bytes))
    }

    /// Data for a script.
    static func json(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + guards,
            body: .bytes(bytes))
    }

    /// Another page instead.
    static func redirect(to link: Link, cookies: [String] = []) -> HTTPResponse {
        HTTPResponse(
            status: 303,
            headers: [("Location", link.text), ("Cache-Control", "no-store")]
                + cookies.map { ("Set-Cookie", $0) } + guards)
    }

    /// A file that never changes under its address.
    static func file(_ bytes: [UInt8], type: String) -> HTTPResponse {
        HTTPResponse(
            headers: [
                ("Content-Type", type), ("Cache-Control", "public, max-age=31536000, immutable"),
            ] + guards, body: .bytes(bytes))
    }

    /// A live stream.
    static func events(_ stream: EventStream) -> HTTPResponse {
        var response = HTTPResponse.events(stream)
        response.headers += [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")] + guards
        return response
    }
}
