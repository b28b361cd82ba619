import Testing

@testable import APNs

@Suite struct ShorteningTests {
    @Test func `a payload that fits is left as it is`() throws {
        let payload = Payload(alert: .text("hello"))
        let result = try payload.shortened(for: nil)
        #expect(result.bytes == (try payload.encoded()))
        #expect(!result.isShortened)
        #expect(result.removedByteCount == 0)
        #expect(try payload.shortened(toByteCount: payload.encoded().count).bytes == payload.encoded())
    }

    // {"aps":{"alert":""}} has 20 bytes.
    @Test(arguments: [
        ("abcdefgh", 27, "abcd…", 4, 4), ("abcdefgh", 28, "abcdefgh", 0, 0), ("abcdefgh", 24, "a…", 7, 7),
        ("abcdefgh", 23, "…", 8, 8), ("abcdefgh", 22, "", 8, 8), ("abcdefgh", 20, "", 8, 8),
        ("ab   efgh", 28, "ab…", 7, 7), ("éééééé", 27, "éé…", 4, 8), ("👨‍👩‍👧👨‍👩‍👧", 43, "👨‍👩‍👧…", 1, 18),
        ("👨‍👩‍👧👨‍👩‍👧", 40, "…", 2, 36), ("e\u{301}e\u{301}e\u{301}", 28, "e\u{301}…", 2, 6),
        ("\n\n\n\n\n\n", 28, "…", 6, 6), ("\"\"\"\"\"\"", 28, "\"\"…", 4, 4),
        ("a\u{1}bcdefghij", 30, "a\u{1}…", 9, 9),
    ])
    func `a body is cut between characters and the cut is counted`(
        body: String, limit: Int, kept: String, characters: Int, bytes: Int
    ) throws {
        let result = try Payload(alert: .text(body)).shortened(toByteCount: limit)
        #expect(result.bytes.count <= limit)
        #expect(try Payload(parsing: result.bytes).alert == .text(kept))
        #expect(result.removedCharacterCount == characters)
        #expect(result.removedByteCount == bytes)
        #expect(result.isShortened == (characters > 0))
    }

    @Test func `only the body of an object alert is cut`() throws {
        let payload = Payload(
            alert: .content(title: "Title", body: String(repeating: "x", count: 5000)), badge: 1,
            custom: ["id": 7])
        let result = try payload.shortened(for: .alert)
        #expect(result.bytes.count == 4096)
        let read = try Payload(parsing: result.bytes)
        #expect(read.badge == 1)
        #expect(read.custom == ["id": 7])
        guard case .content(let content) = read.alert else { return #expect(Bool(false)) }
        #expect(content.title == "Title")
        let body = try #require(content.body)
        #expect(body.hasSuffix("x…"))
        #expect(body.count - 1 + result.removedCharacterCount == 5000)
    }

    @Test func `a Live Activity's literal body is cut`() throws {
        let alert = LiveActivity.Alert(
            title: .literal("T"), body: .literal(String(repeating: "y", count: 5000)))
        let payload = Payload(liveActivity: LiveActivity(event: .update, timestamp: 1, alert: alert))
        let result = try payload.shortened(for: .liveactivity)
        #expect(result.bytes.count == 4096)
        #expect(result.removedCharacterCount > 900)
    }

    @Test func `another mark may be used, or none`() throws {
        let payload = Payload(alert: .text("abcdefgh"))
        #expect(
            try payload.shortened(toByteCount: 25, mark: "").bytes
                == Array(#"{"aps":{"alert":"abcde"}}"#.utf8))
        #expect(
            try payload.shortened(toByteCount: 26, mark: "\"").bytes
                == Array(#"{"aps":{"alert":"abcd\""}}"#.utf8))
    }

    static let unshortenable: [(payload: Payload, message: String)] = [
        (Payload(alert: .text("abc"), custom: ["k": .string(long)]), "even with an empty body"),
        (Payload(custom: ["k": .string(long)]), "no literal body"),
        (Payload(alert: .content(title: long)), "no literal body"),
        (
            Payload(
                liveActivity: LiveActivity(event: .update, timestamp: 1, contentState: ["k": .string(long)])),
            "no literal body"
        ),
    ]

    @Test(arguments: unshortenable)
    func `what cannot be made to fit is refused`(payload: Payload, message: String) {
        let error = #expect(throws: APNsError.self) { try payload.shortened(for: .alert) }
        #expect(error?.code == .payloadTooLarge)
        #expect(error?.message.contains(message) == true)
    }

    @Test(arguments: 0..<40)
    func `a shortened payload never exceeds the limit and wastes little`(seed: UInt64) throws {
        var random = Seed(seed)
        let alphabet = [
            "a", "é", "\"", "\n", " ", "😀", "👨‍👩‍👧", "e\u{301}\u{302}", "\u{1}", "汉", "\\", "\u{200d}",
        ]
        for _ in 0..<25 {
            let body = (0..<Int.random(in: 0...60, using: &random))
                .map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
            let payload = Payload(alert: .content(title: "t", body: body), custom: ["k": 1])
            let whole = try payload.encoded().count
            let limit = Int.random(in: 0...whole + 5, using: &random)
            guard let result = try? payload.shortened(toByteCount: limit) else {
                #expect(whole - JSONText.byteCount(of: body) > limit)
                continue
            }
            #expect(result.bytes.count <= limit)
            let kept = try #require(try Payload(parsing: result.bytes).alert?.body)
            if !result.isShortened {
                #expect(kept.utf8.elementsEqual(body.utf8))
                continue
            }
            let text = kept.hasSuffix("…") ? String(kept.unicodeScalars.dropLast()) : kept
            #expect(body.utf8.starts(with: text.utf8))
            #expect(text.utf8.count + result.removedByteCount == body.utf8.count)
            let boundaries = body.indices.map { body.utf8.distance(from: body.startIndex, to: $0) }
            #expect(boundaries.contains(text.utf8.count))
            // What was cut first, with the blanks before it, would not have fitted.
            let rest = body.dropFirst(body.count - result.removedCharacterCount)
            let refused = rest.prefix(while: \.isWhitespace)
            let next = rest.dropFirst(refused.count).prefix(1)
            if kept.hasSuffix("…"), !next.isEmpty {
                #expect(
                    result.bytes.count + JSONText.byteCount(of: refused) + JSONText.byteCount(of: next)
                        > limit)
            }
        }
    }
}

private let long = String(repeating: "z", count: 4200)
