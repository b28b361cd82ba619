import APNs
import Testing

@testable import APNsGateway

/// Each row of Apple's tables for pushes to devices that a request alone can reach.
struct RequestValidatorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let changes: [(String, String?)]
        let status: Int
        let reason: Reason?
        var body = #"{"aps":{"alert":"Hi"}}"#
        var bodyByteCount: Int?

        init(
            _ changes: [(String, String?)], _ reason: Reason?, status: Int? = nil,
            body: String = #"{"aps":{"alert":"Hi"}}"#, bodyByteCount: Int? = nil
        ) {
            self.changes = changes
            self.reason = reason
            self.status = status ?? reason?.status ?? 200
            self.body = body
            self.bodyByteCount = bodyByteCount
        }

        var testDescription: String {
            "\(changes.map { "\($0.0)=\($0.1?.prefix(40) ?? "absent")" }) -> \(reason?.text ?? "200")"
        }
    }

    private static let path = "/3/device/"

    static let accepted: [Row] = [
        Row([], nil),
        Row([(":path", path + TestConnection.token.lowercased())], nil),
        Row([(":path", path + TestConnection.token.uppercased())], nil),
        Row([("apns-push-type", nil)], nil),
        Row([("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b")], nil),
        Row([("apns-expiration", "0")], nil),
        Row([("apns-expiration", "300")], nil),
        Row([("apns-expiration", "1760003600")], nil),
        Row([("apns-priority", "10")], nil),
        Row([("apns-priority", "5")], nil),
        Row([("apns-priority", "1")], nil),
        Row([("apns-collapse-id", String(repeating: "x", count: 64))], nil),
        Row([("apns-collapse-id", String(repeating: "ä", count: 32))], nil),
        Row([("apns-push-type", "background"), ("apns-priority", "5")], nil),
        Row([("apns-push-type", "background")], nil),
        Row([("content-type", "application/x-www-form-urlencoded")], nil),
        Row([("host", nil), (":authority", "localhost")], nil),
        Row([("x-whatever", "1")], nil),
        Row([], nil, body: "{}", bodyByteCount: 4096),
        // APNs takes malformed JSON here; its answer is not documented.
        Row([], nil, body: "no JSON"),
    ]

    static let rejected: [Row] = [
        Row([(":path", "/")], .badPath),
        Row([(":path", "/2/device/" + TestConnection.token)], .badPath),
        Row([(":path", nil)], .badPath),
        Row([(":path", path + TestConnection.token + "/x")], .badPath),
        Row([(":method", "GET")], .methodNotAllowed),
        Row([(":method", "PUT")], .methodNotAllowed),
        Row([(":method", "post")], .methodNotAllowed),
        Row([(":path", path)], .missingDeviceToken),
        Row([(":path", "/3/device")], .missingDeviceToken),
        Row([("authorization", nil)], .missingProviderToken),
        Row([("authorization", "")], .missingProviderToken),
        Row([("authorization", "bearer")], .missingProviderToken),
        Row([("authorization", "bearer ")], .missingProviderToken),
        Row([("authorization", "basic dXNlcjpwYXNz")], .missingProviderToken),
        Row([("authorization", "bearer x")], .invalidProviderToken),
        Row([("authorization", Provider(keyID: "UNKNOWNKEY").authorization())], .invalidProviderToken),
        Row([("authorization", Provider(teamID: "OTHERTEAM0").authorization())], .invalidProviderToken),
        Row([("authorization", Provider().authorization(signature: [1, 2]))], .invalidProviderToken),
        Row(
            [("authorization", Provider().authorization(issuedAt: Provider.nowSeconds - 3601))],
            .expiredProviderToken),
        Row(
            [("authorization", Provider().authorization(issuedAt: Provider.nowSeconds + 7200))],
            .invalidProviderToken),
        Row([("apns-id", "")], .badMessageID),
        Row([("apns-id", "1")], .badMessageID),
        Row([("apns-id", "eabeae5414a811e5b60b1697f925ec7b")], .badMessageID),
        Row([("apns-expiration", "")], .badExpirationDate),
        Row([("apns-expiration", "-1")], .badExpirationDate),
        Row([("apns-expiration", "1.5")], .badExpirationDate),
        Row([("apns-expiration", "tomorrow")], .badExpirationDate),
        Row([("apns-expiration", "9223372036854775808")], .badExpirationDate),
        Row([("apns-priority", "")], .badPriority),
        Row([("apns-priority", "7")], .badPriority),
        Row([("apns-priority", "high")], .badPriority),
        Row([("apns-priority", "10.0")], .badPriority),
        Row([("apns-push-type", "background"), ("apns-priority", "10")], .badPriority),
        Row([("apns-collapse-id", String(repeating: "x", count: 65))], .badCollapseID),
        Row([("apns-collapse-id", String(repeating: "ä", count: 32) + "x")], .badCollapseID),
        Row([("apns-push-type", "")], .invalidPushType),
        Row([("apns-push-type", "alarm")], .invalidPushType),
        Row([("apns-push-type", "Alert")], .invalidPushType),
        Row([("apns-topic", nil)], .missingTopic),
        Row([("apns-topic", "")], .missingTopic),
        Row([("apns-topic", "com.exämple.app")], .badTopic),
        Row([("apns-topic", "com example")], .badTopic),
        Row([("apns-topic", String(repeating: "x", count: 256))], .badTopic),
        Row([], .payloadEmpty, body: ""),
        Row([], .payloadTooLarge, bodyByteCount: 4097),
        Row([(":path", path + "abc")], .badDeviceToken),
        Row([(":path", path + "zz")], .badDeviceToken),
        Row([(":path", path + String(repeating: "ab", count: 101))], .badDeviceToken),
        Row([(":path", path + String(repeating: "ab", count: 32))], .badDeviceToken),
    ]

    @Test(arguments: accepted + rejected)
    func `a push gets the answer of Apple's table`(row: Row) {
        var connection = TestConnection()
        let verdict = push(row, on: &connection)
        #expect(verdict.status == row.status)
        #expect(verdict.rejection?.reason == row.reason)
        #expect(verdict.rejection?.timestampMilliseconds == nil)
    }

    private func push(_ row: Row, on connection: inout TestConnection) -> RequestVerdict {
        var fields = connection.fields
        for (name, value) in row.changes {
            fields.removeAll { $0.0 == name }
            if let value { fields.append((name, value)) }
        }
        return connection.send(fields, body: row.body, bodyByteCount: row.bodyByteCount)
    }

    @Test(arguments: [
        "authorization", "apns-id", "apns-expiration", "apns-priority", "apns-topic", "apns-collapse-id",
        "apns-push-type", "content-length", "user-agent", "x-unknown", ":path",
    ])
    func `a repeated header is refused`(name: String) {
        var connection = TestConnection()
        let fields = connection.fields.filter { $0.0 != name } + [(name, "1"), (name, "1")]
        let verdict = connection.send(
            name == ":path" ? connection.fields + [(name, "/3/device/aa")] : fields, body: "{}")
        #expect(verdict.rejection == Rejection(.duplicateHeaders))
    }

    @Test func `repeated unknown headers pass when the policy says so`() {
        var policy = GatewayPolicy()
        policy.requests.rejectsRepeatedUnknownHeaders = false
        var connection = TestConnection(policy: policy)
        let fields = connection.fields + [("x-a", "1"), ("x-a", "1")]
        #expect(connection.send(fields, body: "{}").rejection == nil)
        #expect(
            connection.send(connection.fields + [("apns-topic", "a.b")], body: "{}").rejection
                == Rejection(.duplicateHeaders))
    }

    static let tokenVerdicts: [(TokenVerdict, Rejection?)] = [
        (.accepted(device: 7), nil),
        (.unknown, Rejection(.badDeviceToken)),
        (.otherEnvironment, Rejection(.badDeviceToken)),
        (.notForTopic, Rejection(.deviceTokenNotForTopic)),
        (.expired(sinceMilliseconds: 5), Rejection(.expiredToken, status: 410, timestampMilliseconds: 5)),
        (
            .unregistered(sinceMilliseconds: 6),
            Rejection(.unregistered, status: 410, timestampMilliseconds: 6)
        ),
        (.tooManyRequests, Rejection(.tooManyRequests, status: 429)),
    ]

    @Test(arguments: tokenVerdicts)
    func `the registry's verdict decides on the token`(verdict: TokenVerdict, rejection: Rejection?) {
        var connection = TestConnection()
        connection.directory.verdicts[TestConnection.token.lowercased()] = verdict
        #expect(connection.push().rejection == rejection)
    }

    @Test func `an accepted push brings everything for its delivery`() {
        var connection = TestConnection()
        let verdict = connection.push([
            "apns-id": "EABEAE54-14a8-11e5-b60b-1697f925ec7b", "apns-priority": "5",
            "apns-expiration": "1760003600", "apns-collapse-id": "game-1",
        ])
        #expect(verdict.outcome == .accepted(device: 1))
        #expect(verdict.responseID.text == "EABEAE54-14a8-11e5-b60b-1697f925ec7b")
        #expect(verdict.token?.hexString == TestConnection.token.lowercased())
        #expect(verdict.topic?.rawValue == TestConnection.topic)
        #expect(verdict.pushType == .alert)
        #expect(verdict.priority == .normal)
        #expect(verdict.expiration == .at(secondsSince1970: 1_760_003_600))
        #expect(verdict.collapseID?.rawValue == "game-1")
        #expect(verdict.payloadByteCount == 22)
    }

    @Test func `an answer without apns-id in the request gets one in upper case`() {
        var connection = TestConnection()
        let ids = (0..<50).map { _ in connection.push() }
        for verdict in ids {
            #expect(verdict.responseID.text == verdict.responseID.id.uppercasedUUIDString)
        }
        #expect(Set(ids.map(\.responseID.id)).count == 50)
        #expect(Set(ids.map(\.uniqueID)).count == 50)
    }

    @Test func `a refusal echoes the apns-id when it can be read`() {
        var connection = TestConnection()
        let id = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        #expect(connection.push(["apns-id": id, ":path": "/x"]).responseID.text == id)
        #expect(connection.push(["apns-id": id, "authorization": nil]).responseID.text == id)
        let bad = connection.push(["apns-id": "bad"])
        #expect(bad.rejection == Rejection(.badMessageID))
        #expect(bad.responseID.text == bad.responseID.id.uppercasedUUIDString)
    }

    static let types: [(PushType, suffix: String, limit: Int)] = [
        (.alert, "", 4096), (.background, "", 4096), (.location, ".location-query", 4096),
        (.voip, ".voip", 5120), (.complication, ".complication", 4096),
        (.fileprovider, ".pushkit.fileprovider", 4096),
        (.liveactivity, ".push-type.liveactivity", 4096), (.pushtotalk, ".voip-ptt", 4096),
        (.widgets, ".push-type.widgets", 4096), (.controls, ".push-type.controls", 4096),
    ]

    @Test(arguments: types)
    func `each push type has its topic suffix and size`(type: PushType, suffix: String, limit: Int) {
        var connection = TestConnection()
        let topic = TestConnection.topic + suffix
        func push(topic: String, byteCount: Int) -> Rejection? {
            connection.push(
                ["apns-push-type": type.rawValue, "apns-topic": topic], body: "{}", bodyByteCount: byteCount
            ).rejection
        }
        #expect(push(topic: topic, byteCount: limit) == nil)
        #expect(push(topic: topic, byteCount: limit + 1) == Rejection(.payloadTooLarge, status: 413))
        if !suffix.isEmpty {
            #expect(push(topic: TestConnection.topic, byteCount: 10) == Rejection(.badTopic))
            let other = suffix == ".voip" ? ".complication" : ".voip"
            #expect(push(topic: TestConnection.topic + other, byteCount: 10) == Rejection(.badTopic))
        }
    }

    @Test func `an app whose bundle identifier ends like a suffix can be alerted`() {
        var connection = TestConnection()
        #expect(connection.push(["apns-topic": "com.example.voip"]).rejection == nil)
    }

    @Test func `without push type the topic's suffix decides the size`() {
        var connection = TestConnection()
        let changes: KeyValuePairs<String, String?> = [
            "apns-push-type": nil, "apns-topic": "com.example.voip",
        ]
        #expect(connection.push(changes, bodyByteCount: 5120).rejection == nil)
        #expect(connection.push(changes, bodyByteCount: 5121).rejection?.reason == .payloadTooLarge)
    }

    @Test func `mdm pushes need a certificate`() {
        var connection = TestConnection()
        #expect(
            connection.push(["apns-push-type": "mdm", "apns-topic": "com.apple.mgmt.External.x"]).rejection
                == Rejection(.topicDisallowed))
    }

    @Test func `a fault replaces acceptance only`() {
        var connection = TestConnection()
        let fault = Rejection(.serviceUnavailable)
        #expect(connection.push(fault: fault).rejection == fault)
        #expect(connection.push(["apns-topic": nil], fault: fault).rejection == Rejection(.missingTopic))
        #expect(connection.directory.questionCount == 0)
    }

    @Test func `an open gateway accepts any token of hexadecimal digits`() {
        var connection = TestConnection(keys: [], isOpen: true)
        #expect(connection.push([":path": "/3/device/c0ffee"]).outcome == .accepted(device: nil))
        #expect(connection.push().outcome == .accepted(device: 1))
        #expect(connection.push([":path": "/3/device/c0ffe"]).rejection == Rejection(.badDeviceToken))
        connection.directory.verdicts["c0ffee"] = .otherEnvironment
        #expect(connection.push([":path": "/3/device/c0ffee"]).rejection == Rejection(.badDeviceToken))
    }

    @Test(arguments: [1, 32, 33, 54, 80, 100])
    func `tokens of every size are taken`(byteCount: Int) {
        var connection = TestConnection(isOpen: true)
        let verdict = connection.push([":path": "/3/device/" + String(repeating: "9c", count: byteCount)])
        #expect(verdict.outcome == .accepted(device: nil))
        #expect(verdict.token?.byteCount == byteCount)
    }

    @Test func `the journal learns why a push was refused or what is left to find out`() {
        var connection = TestConnection()
        #expect(connection.push().decision == .delivered)
        #expect(connection.push(["apns-topic": nil]).decision == .refused)
        #expect(connection.push([":path": "/3/device/zz"]).decision == .refusedMalformedToken)
        #expect(connection.push([":path": "/3/device/aa"]).decision == .refusedUnknownToken)
        #expect(connection.push([":path": "/3/device/fa11050001"]).decision == .testToken)
        #expect(connection.push(fault: Rejection(.shutdown)).decision == .faultReason)
        var open = TestConnection(isOpen: true)
        #expect(open.push([":path": "/3/device/aa"]).decision == .acceptedWithoutDevice)
    }

    @Test func `uncertain points follow the policy`() {
        var policy = GatewayPolicy()
        policy.requests.backgroundHighPriorityReason = nil
        policy.requests.topicSuffixReason = nil
        policy.requests.malformedPayloadReason = Reason("BadPayload")
        policy.requests.pushTypePayloadReason = .invalidPushType
        var connection = TestConnection(policy: policy)
        let background: KeyValuePairs<String, String?> = [
            "apns-push-type": "background", "apns-priority": "10",
        ]
        let silent = #"{"aps":{"content-available":1}}"#
        #expect(connection.push(background, body: silent).rejection == nil)
        #expect(connection.push(background).rejection == Rejection(.invalidPushType))
        #expect(connection.push(["apns-push-type": "voip"]).rejection == nil)
        #expect(connection.push(body: "no JSON").rejection == Rejection(Reason("BadPayload")))
        #expect(connection.push(body: "[]").rejection == Rejection(Reason("BadPayload")))
    }

    @Test func `while the gateway goes down every request is answered Shutdown`() {
        var connection = TestConnection()
        _ = connection.machine.drain()
        #expect(connection.push().rejection == Rejection(.shutdown, status: 503))
        #expect(connection.push([":path": "/"]).rejection == Rejection(.shutdown, status: 503))
    }
}
