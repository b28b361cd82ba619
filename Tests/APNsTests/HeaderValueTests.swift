import Testing

@testable import APNs

@Suite struct HeaderValueTests {
    @Test(arguments: PushType.allCases)
    func `a push type reads its own header value`(type: PushType) {
        #expect(bytes(type.rawValue) { PushType(utf8: $0) } == type)
        #expect(String(describing: type.headerValue) == type.rawValue)
        #expect(PushType(ignoringCase: type.rawValue.uppercased()) == type)
    }

    @Test(arguments: ["", "Alert", "alert ", "aler", "alerts", "live-activity", "\0alert"])
    func `another push type is refused`(text: String) {
        #expect(bytes(text) { PushType(utf8: $0) } == nil)
    }

    @Test(arguments: [
        (PushType.alert, "com.example.app", 4096), (.background, "com.example.app", 4096),
        (.location, "com.example.app.location-query", 4096), (.voip, "com.example.app.voip", 5120),
        (.complication, "com.example.app.complication", 4096),
        (.fileprovider, "com.example.app.pushkit.fileprovider", 4096), (.mdm, "com.example.app", 4096),
        (.liveactivity, "com.example.app.push-type.liveactivity", 4096),
        (.pushtotalk, "com.example.app.voip-ptt", 4096),
        (.widgets, "com.example.app.push-type.widgets", 4096),
        (.controls, "com.example.app.push-type.controls", 4096),
    ])
    func `each push type has its topic suffix and size limit`(type: PushType, topic: String, size: Int) throws
    {
        let made = try Topic(bundleID: "com.example.app", pushType: type)
        #expect(made.rawValue == topic)
        #expect(made.bundleID == "com.example.app")
        #expect(made.fits(type))
        #expect(type.payloadByteCountMax == size)
        for other in PushType.allCases where other.topicSuffix != type.topicSuffix {
            #expect(!made.fits(other))
        }
        #expect(bytes(topic) { Topic(utf8: $0) } == made)
    }

    @Test(arguments: [
        ("", "empty"), ("com example", "found byte 32"), ("com.exämple", "byte 195"), ("a_b", "found '_'"),
        ("a\r\nb", "byte 13"), (String(repeating: "a", count: 256), "at most 255 bytes, not 256"),
    ])
    func `what is no topic is refused with the reason`(text: String, message: String) {
        let error = #expect(throws: APNsError.self) { try Topic(text) }
        #expect(error?.code == .invalidTopic)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(bytes(text) { Topic(utf8: $0) } == nil)
    }

    @Test func `a topic of 255 bytes is accepted and a suffix must fit in`() throws {
        let longest = String(repeating: "a", count: 255)
        #expect(try Topic(longest).rawValue == longest)
        #expect(throws: APNsError.self) { try Topic(bundleID: longest, pushType: .voip) }
    }

    @Test func `a suffix alone is a bundle identifier`() throws {
        #expect(try Topic(".voip").bundleID == ".voip")
    }

    @Test func `some push types need a provider token`() {
        let needing = PushType.allCases.filter(\.requiresProviderToken)
        #expect(needing == [.location, .liveactivity, .pushtotalk, .widgets, .controls])
    }

    @Test(arguments: [("10", Priority.high), ("5", .normal), ("1", .low)])
    func `the three priorities are read`(text: String, priority: Priority) {
        #expect(bytes(text) { Priority(utf8: $0) } == priority)
        #expect(String(describing: priority.headerValue) == text)
    }

    @Test(arguments: ["", "0", "2", "05", "10 ", "100", "1.0", "-1", "high"])
    func `another priority is refused`(text: String) {
        #expect(bytes(text) { Priority(utf8: $0) } == nil)
    }

    @Test(arguments: [
        ("0", Expiration.never), ("000", .never), ("1", .at(secondsSince1970: 1)),
        ("1764460800", .at(secondsSince1970: 1_764_460_800)),
        ("9223372036854775807", .at(secondsSince1970: .max)),
    ])
    func `an expiration is decimal seconds`(text: String, expiration: Expiration) {
        #expect(bytes(text) { Expiration(utf8: $0) } == expiration)
    }

    @Test(arguments: [
        "", " ", "-1", "+1", "1.5", "1e9", "9223372036854775808", "99999999999999999999", "abc",
    ])
    func `another expiration is refused`(text: String) {
        #expect(bytes(text) { Expiration(utf8: $0) } == nil)
    }

    @Test func `the header of an expiration and its end of storage`() {
        #expect(Expiration.unspecified.headerValue == nil)
        #expect(Expiration.never.headerValue == 0)
        #expect(Expiration.at(secondsSince1970: 7).headerValue == 7)
        #expect(Expiration.unspecified.storedUntil(acceptedAt: 1000) == 2_593_000)
        #expect(Expiration.never.storedUntil(acceptedAt: 1000) == nil)
        #expect(Expiration.at(secondsSince1970: 1500).storedUntil(acceptedAt: 1000) == 1500)
        #expect(Expiration.at(secondsSince1970: .max).storedUntil(acceptedAt: 1000) == 2_593_000)
    }

    @Test func `a collapse id is counted in bytes`() throws {
        #expect(try CollapseID(String(repeating: "a", count: 64)).rawValue.utf8.count == 64)
        #expect(try CollapseID(String(repeating: "é", count: 32)).rawValue.count == 32)
        for text in [
            "", String(repeating: "a", count: 65), String(repeating: "é", count: 33), "a\nb", "a\0", " a",
            "a ",
        ] {
            let error = #expect(throws: APNsError.self) { try CollapseID(text) }
            #expect(error?.code == .invalidCollapseID)
            #expect(bytes(text) { CollapseID(utf8: $0) } == nil)
        }
        #expect([0x61, 0xff].withUnsafeBytes { CollapseID(utf8: $0) } == nil)
    }

    @Test func `the environments have Apple's hosts`() {
        #expect(Environment.production.host == "api.push.apple.com")
        #expect(Environment.sandbox.host == "api.sandbox.push.apple.com")
        #expect(Environment.production.channelManagementHost == "api-manage-broadcast.push.apple.com")
        #expect(Environment.sandbox.channelManagementHost == "api-manage-broadcast.sandbox.push.apple.com")
        #expect(Environment.sandbox.channelManagementPort == 2195)
        #expect(Environment.production.channelManagementPort == 2196)
    }
}

/// Calls a parser with the bytes of a text.
func bytes<Value>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    try Array(text.utf8).withUnsafeBytes(body)
}
