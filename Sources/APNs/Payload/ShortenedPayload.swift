/// An encoded payload and how much of its body was cut to make it fit.
public struct ShortenedPayload: Hashable, Sendable {
    /// The encoded payload.
    public var bytes: [UInt8]
    /// How many characters (grapheme clusters) were cut from the end of the body.
    public var removedCharacterCount: Int
    /// How many bytes of UTF-8 those characters had, before escaping.
    public var removedByteCount: Int

    /// Whether anything was cut.
    public var isShortened: Bool { removedCharacterCount > 0 }
}

extension Payload {
    /// Encodes the payload and cuts its body to fit the limit of a push type; nil counts as alert.
    /// - Throws: what `shortened(toByteCount:mark:)` throws.
    public func shortened(for pushType: PushType?) throws(APNsError) -> ShortenedPayload {
        try shortened(toByteCount: (pushType ?? .alert).payloadByteCountMax)
    }

    /// Encodes the payload and cuts its body to fit a number of bytes.
    ///
    /// Only the alert's literal body is cut, between two characters as readers see them, and ends with the
    /// mark; blanks in front of the mark are cut too. Where not even the mark fits, the body is empty.
    ///
    /// - Parameters:
    ///   - limit: The largest size of the encoded payload, in bytes.
    ///   - mark: What shows that something was cut.
    /// - Returns: bytes that never exceed the limit.
    /// - Throws: `payloadTooLarge` when the payload is too large even with an empty body, or has no literal
    ///   body to cut; what `encoded()` throws.
    public func shortened(toByteCount limit: Int, mark: String = "…") throws(APNsError) -> ShortenedPayload {
        let whole = try encoded()
        if whole.count <= limit {
            return ShortenedPayload(bytes: whole, removedCharacterCount: 0, removedByteCount: 0)
        }
        guard let body = literalBody else {
            throw Payload.tooLarge(whole.count, limit: limit, " and no literal body to shorten")
        }
        let fixedByteCount = whole.count - JSONText.byteCount(of: body)
        guard fixedByteCount <= limit else {
            throw Payload.tooLarge(fixedByteCount, limit: limit, " even with an empty body")
        }
        let markByteCount = JSONText.byteCount(of: mark)
        let room = limit - fixedByteCount - markByteCount
        let kept = room >= 0 ? Payload.prefix(of: body, byteCount: room) : body.prefix(0)

        var copy = self
        copy.literalBody = room >= 0 ? String(kept) + mark : ""
        return ShortenedPayload(
            bytes: try copy.encoded(), removedCharacterCount: body.count - kept.count,
            removedByteCount: body.utf8.count - kept.utf8.count)
    }

    /// The longest beginning of a text that takes at most so many bytes as JSON, without blanks at its end.
    private static func prefix(of text: String, byteCount limit: Int) -> Substring {
        var byteCount = 0
        var end = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            byteCount += JSONText.byteCount(of: text[index..<next])
            if byteCount > limit { break }
            if !text[index].isWhitespace { end = next }
            index = next
        }
        return text[..<end]
    }

    /// The text that is cut: the body of the alert or of the Live Activity's alert.
    private var literalBody: String? {
        get {
            if let alert { return alert.body }
            if case .literal(let text) = liveActivity?.alert?.body { return text }
            return nil
        }
        set {
            if alert != nil {
                alert?.body = newValue
            } else {
                liveActivity?.alert?.body = newValue.map { .literal($0) }
            }
        }
    }
}
