/// Whether and how a response body is compressed for one client (RFC 9110 §8.4, §12.5.3).
enum ContentCoding {
    /// Compresses a response when the client asks for gzip and it pays.
    ///
    /// Every response that could have been compressed says `Vary: Accept-Encoding`, compressed or not.
    ///
    /// - Parameters:
    ///   - acceptEncoding: the request's header.
    ///   - byteCountMin: smaller bodies are left alone.
    static func applied(
        to response: HTTPResponse, acceptEncoding: String?, byteCountMin: Int
    ) -> HTTPResponse {
        guard case .bytes(let body) = response.body, body.count >= byteCountMin,
            ![204, 206, 304].contains(response.status), response.header(named: "content-encoding") == nil,
            let type = response.header(named: "content-type"), isCompressible(contentType: type)
        else { return response }

        var response = response
        addVary(to: &response.headers)
        if accepts(acceptEncoding), let compressed = Gzip.compress(body), compressed.count < body.count {
            response.headers.append(("Content-Encoding", "gzip"))
            response.body = .bytes(compressed)
        }
        return response
    }

    /// Text in its many forms; pictures and archives are compressed already.
    static func isCompressible(contentType: String) -> Bool {
        let essence = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return essence.hasPrefix("text/") || essence.hasSuffix("+json") || essence.hasSuffix("+xml")
            || [
                "application/json", "application/javascript", "application/xml", "application/x-ndjson",
                "application/wasm", "image/svg+xml",
            ].contains(essence)
    }

    /// Whether `Accept-Encoding` allows gzip: by its name, else by `*`; a weight of 0 forbids.
    static func accepts(_ acceptEncoding: String?) -> Bool {
        guard let acceptEncoding else { return false }
        var byWildcard = false
        for element in acceptEncoding.split(separator: ",") {
            let parts = element.split(separator: ";").map { trimmed($0).lowercased() }
            guard let coding = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            let isAllowed = (weight ?? 1) > 0
            if coding == "gzip" || coding == "x-gzip" { return isAllowed }
            if coding == "*" { byWildcard = isAllowed }
        }
        return byWildcard
    }

    private static func addVary(to headers: inout [(String, String)]) {
        guard let index = headers.firstIndex(where: { $0.0.isSameHeaderName(as: "vary") }) else {
            headers.append(("Vary", "Accept-Encoding"))
            return
        }
        let names = headers[index].1.split(separator: ",").map { trimmed($0).lowercased() }
        guard !names.contains("*"), !names.contains("accept-encoding") else { return }
        headers[index].1 += ", Accept-Encoding"
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
