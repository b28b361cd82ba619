internal import CPhoneFiles
public import Transport

/// The page on which a phone is seen and touched in a browser; it lives on what ``PhoneAPI`` answers.
///
/// `/phone` shows the first phone, `/phone/:id` one of them. The files are part of the program.
public enum PhonePage {
    /// Where the page of the first phone is.
    public static let path = "/phone"

    private static let filesPath = path + "/files/"
    /// Files of this server only, and nothing written into the page itself.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; "
        + "frame-ancestors 'self'; form-action 'none'"

    private static let files: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        var index = 0
        while true {
            let file = belfry_phone_file_at(index)
            guard let name = file.name, let start = file.bytes else { return files }
            files[String(cString: name)] = Array(UnsafeBufferPointer(start: start, count: file.count))
            index += 1
        }
    }()

    /// Whether a path is one of the page's.
    public static func owns(path: String) -> Bool { path == Self.path || path.hasPrefix(Self.path + "/") }

    /// Answers a request.
    public static func respond(to request: HTTPRequest) -> HTTPResponse {
        if let refusal = LoopbackGuard.refusal(request) { return refusal }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .error(405, "found \(request.method.prefix(20)), allowed: GET")
        }
        if request.path.hasPrefix(filesPath) { return file(String(request.path.dropFirst(filesPath.count))) }
        return file("phone.html")
    }

    private static func file(_ name: String) -> HTTPResponse {
        guard let bytes = files[name] else { return .error(404, "there is no such file") }
        let type =
            name.hasSuffix(".css") ? "text/css" : name.hasSuffix(".js") ? "text/javascript" : "text/html"
        return HTTPResponse(
            headers: [
                ("Content-Type", type + "; charset=utf-8"), ("Cache-Control", "no-cache"),
                ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "same-origin"),
            ], body: .bytes(bytes))
    }
}
