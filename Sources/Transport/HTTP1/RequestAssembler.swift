/// Puts one request together from the pieces it arrives in, within limits.
///
/// ```
/// target ─▶ head ─▶ body* ─▶ finish
/// ```
struct RequestAssembler: Sendable {
    struct Limits: Sendable {
        var head: RequestHead.Limits
        var bodyByteCountMax: Int
    }

    /// What to do once the head is known.
    enum HeadAction: Sendable, Hashable {
        case readBody
        /// Answer now; the rest of the connection cannot be read any more.
        case reject(HTTPRejection)
    }

    private let limits: Limits
    private let target: [UInt8]
    private var head: RequestHead?
    private var parsedTarget: RequestTarget?
    private var body: [UInt8] = []
    private var bodyByteCount: UInt64 = 0

    /// Bytes above the body limit that are read and dropped, so that a client that sends its whole body
    /// before it reads gets its 413 instead of a reset connection.
    static let excessByteCountMax = 8 << 20

    init(target: [UInt8], limits: Limits) {
        self.target = target
        self.limits = limits
    }

    /// Whether the head has been taken.
    var hasHead: Bool { head != nil }

    /// Whether the client knows no chunked bodies.
    var isHTTP10: Bool { head?.isHTTP10 ?? false }

    /// Takes what ``RequestHead`` needs besides the target this was made with.
    mutating func receive(_ head: RequestHead) -> HeadAction {
        var head = head
        head.target = target
        self.head = head
        do throws(HTTPRejection) {
            let framing = try head.validated(by: limits.head)
            parsedTarget = try RequestTarget(target)
            if case .length(let byteCount) = framing, byteCount > UInt64(limits.bodyByteCountMax) {
                let isHopeless = byteCount - UInt64(limits.bodyByteCountMax) > UInt64(Self.excessByteCountMax)
                if isHopeless || head.expectsContinue { return .reject(bodyTooLarge) }
            } else if case .length(let byteCount) = framing {
                body.reserveCapacity(min(Int(byteCount), 64 << 10))
            }
            return .readBody
        } catch {
            return .reject(error)
        }
    }

    /// Takes a piece of the body.
    ///
    /// - Returns: false when so much is coming that only cutting the connection helps.
    mutating func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        bodyByteCount += UInt64(bytes.count)
        if isBodyTooLarge {
            body = []
        } else {
            body.append(contentsOf: bytes)
        }
        return bodyByteCount <= UInt64(limits.bodyByteCountMax) + UInt64(Self.excessByteCountMax)
    }

    /// Ends the request.
    func finish(remoteAddress: String) throws(HTTPRejection) -> HTTPRequest {
        guard !isBodyTooLarge else { throw bodyTooLarge }
        guard let head, let parsedTarget else {
            throw HTTPRejection(400, "the request has no head")
        }
        return HTTPRequest(
            method: head.method, target: parsedTarget, headers: HTTPHeaders(head.fields), body: body,
            remoteAddress: remoteAddress)
    }

    private var isBodyTooLarge: Bool { bodyByteCount > UInt64(limits.bodyByteCountMax) }

    private var bodyTooLarge: HTTPRejection {
        HTTPRejection(413, "the body is longer than \(limits.bodyByteCountMax) bytes")
    }
}
