import Testing

@testable import APNs

@Suite struct ReasonTests {
    // The tables of Apple: Handling notification responses from APNs, and Handling error responses from
    // Apple Push Notification service. C marks reasons that need another connection.
    static let table: [(text: String, status: Int?, disposition: Reason.Disposition, mark: String)] = [
        ("BadCollapseId", 400, .fix, ""), ("BadDeviceToken", 400, .never, ""),
        ("BadExpirationDate", 400, .fix, ""), ("BadMessageId", 400, .fix, ""),
        ("BadPriority", 400, .fix, ""), ("BadTopic", 400, .fix, ""),
        ("DeviceTokenNotForTopic", 400, .never, ""), ("DuplicateHeaders", 400, .fix, ""),
        ("IdleTimeout", 400, .later, "C"), ("InvalidPushType", 400, .fix, ""),
        ("MissingDeviceToken", 400, .fix, ""), ("MissingTopic", 400, .fix, ""),
        ("PayloadEmpty", 400, .fix, ""), ("TopicDisallowed", 400, .fix, ""),
        ("BadCertificate", 403, .fix, "C"), ("BadCertificateEnvironment", 403, .fix, "C"),
        ("ExpiredProviderToken", 403, .renew, "C"), ("Forbidden", 403, .never, ""),
        ("InvalidProviderToken", 403, .fix, ""), ("MissingProviderToken", 403, .fix, ""),
        ("UnrelatedKeyIdInToken", 403, .later, "C"), ("BadEnvironmentKeyIdInToken", 403, .fix, ""),
        ("BadPath", 404, .fix, ""), ("MethodNotAllowed", 405, .fix, ""), ("ExpiredToken", 410, .never, ""),
        ("Unregistered", 410, .never, ""), ("PayloadTooLarge", 413, .never, ""),
        ("TooManyProviderTokenUpdates", 429, .later, ""), ("TooManyRequests", 429, .later, ""),
        ("InternalServerError", 500, .later, ""), ("ServiceUnavailable", 503, .later, ""),
        ("Shutdown", 503, .later, "C"), ("FeatureNotEnabled", 400, .fix, ""),
        ("MissingChannelId", 400, .fix, ""), ("BadChannelId", 400, .fix, ""),
        ("ChannelNotRegistered", 400, .fix, ""), ("BadRequestParams", 400, .fix, ""),
        ("BadRequestPayload", 400, .fix, ""), ("MissingPushType", 400, .fix, ""),
        ("CannotCreateChannelConfig", 400, .fix, ""), ("TopicMismatch", 403, .fix, ""),
        ("MissingChannelQueueSize", nil, .fix, ""), ("BroadcastFeatureNotEnabled", nil, .fix, ""),
    ]

    @Test(arguments: table)
    func `every reason has Apple's status and its class`(
        text: String, status: Int?, disposition: Reason.Disposition, mark: String
    ) {
        let reason = Reason(text)
        #expect(reason.isKnown)
        #expect(reason.text == text)
        #expect(reason == bytes(text) { Reason(utf8: $0) })
        #expect(reason.status == status)
        #expect(reason.disposition == disposition)
        #expect(reason.requiresNewConnection == (mark == "C"))
    }

    @Test func `the table above is whole and in order of the codes`() {
        #expect(Reason.known.map(\.text) == ReasonTests.table.map(\.text))
        for (index, row) in Reason.table.enumerated() { #expect(Int(row.code.rawValue) == index) }
    }

    @Test func `never is exactly Apple's list`() {
        let never = Set(Reason.known.filter { $0.disposition == .never }.map(\.text))
        #expect(
            never == [
                "BadDeviceToken", "DeviceTokenNotForTopic", "Forbidden", "ExpiredToken", "Unregistered",
                "PayloadTooLarge",
            ])
    }

    @Test(arguments: [
        ("BadEnvironmentKeyInToken", Reason.badEnvironmentKeyIDInToken),
        ("Service Unavailable", .serviceUnavailable),
    ])
    func `both spellings are one reason`(text: String, reason: Reason) {
        #expect(Reason(text) == reason)
        #expect(reason.spellings.count == 2)
        #expect(reason.spellings.contains(text))
    }

    @Test(arguments: ["", "baddevicetoken", "BadDeviceToken ", "Teapot", "BadDeviceTokenX"])
    func `an unknown reason is carried as text`(text: String) {
        let reason = Reason(text)
        #expect(!reason.isKnown)
        #expect(reason.text == text)
        #expect(reason.status == nil)
        #expect(reason.disposition == .unknown)
        #expect(!reason.requiresNewConnection)
        #expect(reason == bytes(text) { Reason(utf8: $0) })
        #expect(reason != Reason("SomethingElse"))
        #expect(reason.spellings == [text])
    }

    @Test(arguments: [
        (410, Reason.Disposition.never), (429, .later), (500, .later), (503, .later), (400, .fix),
        (403, .fix),
        (200, .unknown), (302, .unknown),
    ])
    func `a status alone has a class`(status: Int, disposition: Reason.Disposition) {
        #expect(Reason.Disposition(status: status) == disposition)
    }
}

@Suite struct ErrorBodyTests {
    @Test(arguments: [
        (#"{"reason":"BadDeviceToken"}"#, ErrorBody(reason: .badDeviceToken)),
        (
            #"{"reason":"Unregistered","timestamp":1454402113839}"#,
            ErrorBody(reason: .unregistered, timestampMilliseconds: 1_454_402_113_839)
        ),
        (#"{"reason":"a \"new\" one/é"}"#, ErrorBody(reason: Reason("a \"new\" one/é"))),
    ])
    func `a body is read and written as APNs writes it`(json: String, body: ErrorBody) {
        #expect(ErrorBody(json: Array(json.utf8)) == body)
        #expect(String(decoding: body.encoded, as: UTF8.self) == json)
    }

    @Test(arguments: [
        #"{ "reason" : "BadDeviceToken" }"#, #"{"x":[],"reason":"BadDeviceToken"}"#,
        #"{"reason":"BadDeviceToken","timestamp":"soon"}"#, #"{"reason":"BadDeviceToken","timestamp":null}"#,
    ])
    func `other JSON with a reason is read too`(json: String) {
        #expect(ErrorBody(json: Array(json.utf8)) == ErrorBody(reason: .badDeviceToken))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"reason":5}"#, #"{"reason":"#, "\0", #"{"reason":"Bad"x"}"#,
    ])
    func `what is no error body is refused`(json: String) {
        #expect(ErrorBody(json: Array(json.utf8)) == nil)
    }

    @Test func `a body that is long or nested deeply is refused`() {
        #expect(ErrorBody(json: Array(repeating: 0x5b, count: 16_000)) == nil)
        #expect(ErrorBody(json: Array(repeating: 0x5b, count: 100_000)) == nil)
        let padding = String(repeating: "p", count: ErrorBody.byteCountMax)
        #expect(ErrorBody(json: Array(#"{"reason":"X","pad":"\#(padding)"}"#.utf8)) == nil)
    }
}
