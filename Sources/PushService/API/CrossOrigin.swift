internal import Transport

/// What lets web pages of any site call the API (Fetch standard, CORS): every request proves itself with a key of
/// its own, so a browser adds no rights that a page does not have.
enum CrossOrigin {
    private static let allowedHeaders =
        ["Content-Type", "Accept", "Authorization", "Cache-Control", "User-Agent", "X-Requested-With"]
        + ["Id", "Key", "Sign", "Prod", "Session", "Hook-Key", "UA", "IM-Session-Token"].map { "X-LC-\($0)" }
        + ["Id", "Key", "Production"].map { "X-AVOSCloud-Application-\($0)" }
        + ["Master-Key", "Request-Sign", "Client-Version", "Session-Token", "Super-Key"].map {
            "X-AVOSCloud-\($0)"
        }

    /// How long a browser may keep the answer to a preflight, in seconds.
    private static let ageSecondsMax = 86_400

    /// The answer to a browser that asks first.
    static func preflight() -> HTTPResponse {
        HTTPResponse(
            status: 204,
            headers: [
                ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE, OPTIONS"),
                ("Access-Control-Allow-Headers", allowedHeaders.joined(separator: ", ")),
                ("Access-Control-Max-Age", String(ageSecondsMax)),
            ])
    }

    /// Adds what every answer says.
    static func mark(_ response: inout HTTPResponse) {
        response.headers.append(("Access-Control-Allow-Origin", "*"))
        response.headers.append(("Access-Control-Expose-Headers", "Location, Retry-After"))
    }
}
