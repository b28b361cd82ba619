/// Request line and header fields as they came, with the rules they have to keep.
///
/// libmicrohttpd is lenient where leniency lets two programs read one request differently (request
/// smuggling); what is ambiguous is refused here (RFC 9112 §2.2, §5.2, §6.1, §6.3).
struct RequestHead: Sendable {
    /// What the head says about the body.
    enum Body: Sendable, Hashable {
        case none
        case length(UInt64)
        case chunked
    }

    struct Limits: Sendable {
        var targetByteCountMax: Int
        var headByteCountMax: Int
        var headerCountMax: Int
    }

    var method: String
    var target: [UInt8]
    var isHTTP10: Bool
    /// Uncombined, in order.
    var fields: [HTTPHeaders.Field]
    /// From the method's first byte to the blank line's last.
    var byteCount: Int
    /// False when the head holds bytes its lines do not account for: NUL, bare LF, a folded line.
    var isIntact: Bool

    /// Whether the client waits for `100 Continue` before it sends its body.
    var expectsContinue: Bool {
        values(of: "expect").contains { $0.lowercased() == "100-continue" }
    }

    /// Checks everything but the target's inside.
    ///
    /// - Returns: how the body is framed.
    func validated(by limits: Limits) throws(HTTPRejection) -> Body {
        guard target.count <= limits.targetByteCountMax else {
            throw HTTPRejection(
                414, "the request target is longer than \(limits.targetByteCountMax) bytes")
        }
        guard byteCount <= limits.headByteCountMax else {
            throw HTTPRejection(431, "the request head is longer than \(limits.headByteCountMax) bytes")
        }
        guard fields.count <= limits.headerCountMax else {
            throw HTTPRejection(431, "the request has more than \(limits.headerCountMax) header fields")
        }
        guard isIntact else {
            throw HTTPRejection(400, "the request head holds a NUL byte, a bare line feed or a folded line")
        }
        try checkNames()
        try checkHost()
        if let expectation = values(of: "expect").first, !expectsContinue {
            throw HTTPRejection(417, "the expectation \(expectation.prefix(40)) is not supported")
        }
        return try framing()
    }

    private func checkNames() throws(HTTPRejection) {
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else {
            throw HTTPRejection(400, "the method is not a token")
        }
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenCharacter) else {
                throw HTTPRejection(400, "a header name is not a token")
            }
            guard !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
                throw HTTPRejection(400, "the header \(field.name) holds a control character")
            }
        }
    }

    private func checkHost() throws(HTTPRejection) {
        let count = values(of: "host").count
        guard count == 1 || (isHTTP10 && count == 0) else {
            throw HTTPRejection(400, "the request has \(count) Host headers and needs one")
        }
    }

    private func framing() throws(HTTPRejection) -> Body {
        let codings = values(of: "transfer-encoding")
        let lengths = values(of: "content-length")
        if let coding = codings.first {
            guard lengths.isEmpty else {
                throw HTTPRejection(400, "the request has both Content-Length and Transfer-Encoding")
            }
            guard !isHTTP10 else {
                throw HTTPRejection(400, "HTTP/1.0 has no Transfer-Encoding")
            }
            guard codings.count == 1, coding.lowercased() == "chunked" else {
                throw HTTPRejection(501, "only the transfer coding chunked is supported, once")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard lengths.count == 1, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let byteCount = UInt64(length)
        else {
            throw HTTPRejection(400, "Content-Length must be one decimal number")
        }
        return byteCount == 0 ? .none : .length(byteCount)
    }

    private func values(of name: String) -> [String] {
        fields.filter { $0.name.isSameHeaderName(as: name) }.map(\.value)
    }
}
