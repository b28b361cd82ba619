/// The target of a request line, taken apart and percent-decoded.
struct RequestTarget: Sendable {
    var path: String
    var segments: [String]
    var query: [(name: String, value: String)]

    init(path: String, segments: [String], query: [(name: String, value: String)]) {
        self.path = path
        self.segments = segments
        self.query = query
    }

    /// Reads the origin form (`/a?b`), the absolute form (`http://host/a?b`) and `*` (RFC 9112 §3.2).
    ///
    /// Bytes above 0x7F are taken as they are when the whole is UTF-8: people type them.
    init(_ raw: [UInt8]) throws(HTTPRejection) {
        guard !raw.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw HTTPRejection(400, "the request target holds a blank or a control character")
        }
        if raw == [UInt8(ascii: "*")] {
            self.init(path: "*", segments: [], query: [])
            return
        }
        let origin = Self.withoutAuthority(raw[...])
        guard origin.first == UInt8(ascii: "/") else {
            throw HTTPRejection(400, "the request target must start with a slash or be an http URL")
        }
        let rawPath = origin.prefix { $0 != UInt8(ascii: "?") }
        let rawQuery = origin.dropFirst(rawPath.count + 1)

        var segments: [String] = []
        for segment in rawPath.dropFirst()
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            segments.append(try Self.decoded(segment, as: "path"))
        }
        self.init(
            path: "/" + segments.joined(separator: "/"), segments: rawPath.count == 1 ? [] : segments,
            query: try Self.query(rawQuery))
    }

    /// The pieces of a decoded path.
    static func segments(of path: String) -> [String] {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count > 1 else { return [] }
        return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// Turns the absolute form into the origin form; anything else stays as it is.
    private static func withoutAuthority(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for scheme in ["http://", "https://"] {
            let prefix = raw.prefix(scheme.utf8.count)
            guard prefix.map(\.asciiLowercased).elementsEqual(scheme.utf8) else { continue }
            let authorityAndPath = raw.dropFirst(prefix.count)
            let rest = authorityAndPath.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            guard rest.count < authorityAndPath.count else { return raw }
            return rest.first == UInt8(ascii: "/") ? rest : [UInt8(ascii: "/")] + rest
        }
        return raw
    }

    private static func query(
        _ raw: ArraySlice<UInt8>
    ) throws(HTTPRejection) -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        for pair in raw.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            query.append(
                (
                    name: try decoded(name, as: "query", plusIsBlank: true),
                    value: try decoded(pair.dropFirst(name.count + 1), as: "query", plusIsBlank: true)
                ))
        }
        return query
    }

    /// Decodes `%41` and, in queries, `+`.
    private static func decoded(
        _ raw: ArraySlice<UInt8>, as part: String, plusIsBlank: Bool = false
    ) throws(HTTPRejection) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = raw.startIndex
        while index < raw.endIndex {
            switch raw[index] {
            case UInt8(ascii: "%"):
                guard index + 2 < raw.endIndex, let high = digit(raw[index + 1]),
                    let low = digit(raw[index + 2])
                else { throw HTTPRejection(400, "the \(part) holds a % that two hex digits do not follow") }
                bytes.append(high << 4 | low)
                index += 2
            case UInt8(ascii: "+") where plusIsBlank:
                bytes.append(UInt8(ascii: " "))
            case let byte:
                bytes.append(byte)
            }
            index += 1
        }
        guard !bytes.contains(0) else { throw HTTPRejection(400, "the \(part) holds a NUL byte") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HTTPRejection(400, "the \(part) is not UTF-8")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
