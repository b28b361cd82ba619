import APNs
import Testing

@testable import APNsGateway

struct ChannelValidatorTests {
    struct Channels: ChannelDirectory {
        var enabled: Set<String> = ["com.example.app"]
        var count = 0
        var channels: [String: MessageStoragePolicy] = ["AAEC": .mostRecentMessage, "AwQF": .noMessage]

        func isBroadcastEnabled(bundleID: String, environment: APNs.Environment) -> Bool {
            enabled.contains(bundleID)
        }

        func channelCount(bundleID: String, environment: APNs.Environment) -> Int { count }

        func configuration(
            of channel: ChannelID, bundleID: String, environment: APNs.Environment
        ) -> ChannelConfiguration? {
            channels[channel.rawValue].map { ChannelConfiguration(storagePolicy: $0) }
        }
    }

    struct Call: Sendable {
        var method = "POST"
        var path = "/1/apps/com.example.app/channels"
        var fields: [String: String] = ["authorization": Provider().authorization()]
        var body = ""
        var bodyByteCount: Int?

        func with(_ name: String, _ value: String?) -> Call {
            var call = self
            call.fields[name] = value
            return call
        }

        func to(_ method: String, _ path: String) -> Call {
            var call = self
            call.method = method
            call.path = path
            return call
        }

        func body(_ body: String, byteCount: Int? = nil) -> Call {
            var call = self
            call.body = body
            call.bodyByteCount = byteCount
            return call
        }
    }

    static let create = Call(body: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
    static let read = Call(method: "GET").with("apns-channel-id", "AAEC")
    static let delete = Call(method: "DELETE").with("apns-channel-id", "AAEC")
    static let list = Call(method: "GET", path: "/1/apps/com.example.app/all-channels")
    static let publish = Call(
        path: "/4/broadcasts/apps/com.example.app",
        fields: [
            "authorization": Provider().authorization(), "apns-channel-id": "AAEC",
            "apns-push-type": "liveactivity", "apns-expiration": "0", "apns-priority": "10",
        ],
        body: #"{"aps":{"event":"update"}}"#)

    private func verdict(
        _ call: Call, channels: Channels = Channels(), policy: GatewayPolicy = GatewayPolicy(),
        credential: ConnectionMachine.Credential = .providerToken,
        keys: [ProviderKey] = [Provider().key()], fault: Rejection? = nil, isDraining: Bool = false
    ) -> ChannelVerdict {
        var connection = TestConnection(policy: policy, credential: credential, keys: keys)
        if isDraining { _ = connection.machine.drain() }
        let validator = ChannelValidator(
            environment: .production, policy: policy, verifier: connection.validator.verifier)
        let list = FieldList(
            [(":method", call.method), (":path", call.path)] + call.fields.map { ($0.key, $0.value) })
        let head = RequestHead(list)
        return withExtendedLifetime(list) {
            withBytes(call.body) { body in
                validator.verdict(
                    on: head, route: Route(path: head.path), body: body,
                    bodyByteCount: call.bodyByteCount ?? body.count, connection: &connection.machine,
                    directory: channels, fault: fault, nowMilliseconds: Provider.nowSeconds * 1000)
            }
        }
    }

    private func channel(_ text: String) throws -> ChannelID { try ChannelID(text) }

    @Test func `a channel is made`() {
        let verdict = verdict(Self.create)
        #expect(verdict.outcome == .create(ChannelConfiguration(storagePolicy: .mostRecentMessage)))
        #expect(verdict.operation == .createChannel)
        #expect(verdict.bundleID?.rawValue == "com.example.app")
        let text = Self.create.body(#"{"message-storage-policy":"0","push-type":"liveactivity"}"#)
        #expect(self.verdict(text).outcome == .create(ChannelConfiguration(storagePolicy: .noMessage)))
    }

    @Test func `a channel is read, deleted, listed`() throws {
        let configuration = ChannelConfiguration(storagePolicy: .mostRecentMessage)
        #expect(verdict(Self.read).outcome == .read(configuration))
        #expect(verdict(Self.delete).outcome == .delete(try channel("AAEC")))
        #expect(verdict(Self.list).outcome == .list)
    }

    @Test func `a broadcast is published`() throws {
        let broadcast = ChannelVerdict.Broadcast(
            channel: try channel("AAEC"),
            configuration: ChannelConfiguration(storagePolicy: .mostRecentMessage), priority: .high,
            expiration: .at(secondsSince1970: 1_760_003_600))
        let call = Self.publish.with("apns-expiration", "1760003600")
        #expect(verdict(call).outcome == .publish(broadcast))
        #expect(verdict(call.with("apns-priority", nil)).outcome == .publish(broadcast))
        #expect(verdict(call.with("apns-push-type", "Liveactivity")).outcome == .publish(broadcast))
    }

    @Test func `a channel that keeps nothing publishes without expiration as with 0`() throws {
        let broadcast = ChannelVerdict.Broadcast(
            channel: try channel("AwQF"), configuration: ChannelConfiguration(storagePolicy: .noMessage),
            priority: .normal, expiration: .never)
        let call = Self.publish.with("apns-channel-id", "AwQF").with("apns-priority", "5")
        #expect(verdict(call).outcome == .publish(broadcast))
        #expect(verdict(call.with("apns-expiration", nil)).outcome == .publish(broadcast))
    }

    static let rejections: [(Call, Reason, Int)] = [
        (list.to("GET", "/1/apps/com.example.app/channel"), .badPath, 404),
        (list.to("POST", "/1/apps/com.example.app/all-channels"), .badPath, 404),
        (publish.to("GET", publish.path), .badPath, 404),
        (publish.to("DELETE", publish.path), .badPath, 404),
        (publish.to("PUT", publish.path), .methodNotAllowed, 405),
        (create.to("PATCH", create.path), .methodNotAllowed, 405),
        (list.with("authorization", nil), .missingProviderToken, 403),
        (list.with("authorization", "bearer x"), .invalidProviderToken, 403),
        (
            list.with("authorization", Provider().authorization(issuedAt: Provider.nowSeconds - 4000)),
            .expiredProviderToken, 403
        ),
        (list.with("apns-request-id", "x"), .badMessageID, 400),
        (list.with("apns-id", "x"), .badMessageID, 400),
        (
            list.to("GET", "/1/apps/com.example.app.push-type.liveactivity/all-channels"), .topicDisallowed,
            400
        ),
        (
            publish.to("POST", "/4/broadcasts/apps/com.example.app.push-type.liveactivity"),
            .topicDisallowed, 400
        ),
        (publish.to("POST", "/4/broadcasts/apps/com exämple"), .topicDisallowed, 400),
        (list.to("GET", "/1/apps/com.example.other/all-channels"), .featureNotEnabled, 400),
        (read.with("apns-channel-id", nil), .missingChannelID, 400),
        (delete.with("apns-channel-id", ""), .missingChannelID, 400),
        (publish.with("apns-channel-id", nil), .missingChannelID, 400),
        (read.with("apns-channel-id", "no base64!"), .badChannelID, 400),
        (publish.with("apns-channel-id", String(repeating: "AAAA", count: 65)), .badChannelID, 400),
        (read.with("apns-channel-id", "BgcI"), .channelNotRegistered, 400),
        (delete.with("apns-channel-id", "BgcI"), .channelNotRegistered, 400),
        (publish.with("apns-channel-id", "BgcI"), .channelNotRegistered, 400),
        (create.body(""), .badRequestPayload, 400),
        (create.body("[]"), .badRequestPayload, 400),
        (create.body("{"), .badRequestPayload, 400),
        (
            create.body(#"{"message-storage-policy":1,"push-type":"LiveActivity","x":1}"#), .badRequestParams,
            400
        ),
        (create.body(#"{"message-storage-policy":1}"#), .missingPushType, 400),
        (create.body(#"{"message-storage-policy":1,"push-type":"alert"}"#), .invalidPushType, 400),
        (create.body(#"{"push-type":"LiveActivity"}"#), .missingChannelQueueSize, 400),
        (
            create.body(#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#),
            .missingChannelQueueSize, 400
        ),
        (publish.with("apns-push-type", nil), .missingPushType, 400),
        (publish.with("apns-push-type", "alert"), .invalidPushType, 400),
        (publish.with("apns-push-type", "x"), .invalidPushType, 400),
        (publish.with("apns-expiration", "x"), .badExpirationDate, 400),
        (
            publish.with("apns-channel-id", "AwQF").with("apns-expiration", "1760003600"), .badExpirationDate,
            400
        ),
        (publish.with("apns-priority", "2"), .badPriority, 400),
        (publish.body(""), .payloadEmpty, 400),
        (publish.body("{}", byteCount: 5121), .payloadTooLarge, 413),
    ]

    @Test(arguments: rejections)
    func `a wrong request gets the answer of Apple's table`(call: Call, reason: Reason, status: Int) {
        let verdict = verdict(call)
        #expect(verdict.rejection == Rejection(reason, status: status))
    }

    @Test func `the largest broadcast passes`() {
        #expect(verdict(Self.publish.body("{}", byteCount: 5120)).rejection == nil)
    }

    @Test func `a credential for other apps gets TopicMismatch`() {
        let keys = [Provider().key(scope: .topics(["com.example.other"]))]
        for call in [Self.create, Self.read, Self.delete, Self.list, Self.publish] {
            #expect(verdict(call, keys: keys).rejection == Rejection(.topicMismatch, status: 403))
        }
    }

    @Test func `the limit of channels is ten thousand`() {
        var channels = Channels()
        channels.count = 9999
        #expect(verdict(Self.create, channels: channels).rejection == nil)
        channels.count = 10_000
        #expect(
            verdict(Self.create, channels: channels).rejection == Rejection(.cannotCreateChannelConfig))
    }

    @Test func `uncertain points follow the policy`() {
        var policy = GatewayPolicy()
        policy.broadcasts.requiresExpiration = true
        policy.broadcasts.requiresPriority = true
        policy.broadcasts.ignoresPushTypeCase = false
        policy.broadcasts.deletedChannelReason = .badPath
        func reason(_ call: Call) -> Reason? { verdict(call, policy: policy).rejection?.reason }
        #expect(reason(Self.publish) == nil)
        #expect(reason(Self.publish.with("apns-expiration", nil)) == .badExpirationDate)
        #expect(reason(Self.publish.with("apns-priority", nil)) == .badPriority)
        #expect(reason(Self.publish.with("apns-push-type", "LiveActivity")) == .invalidPushType)
        #expect(reason(Self.delete.with("apns-channel-id", "BgcI")) == .badPath)
        #expect(reason(Self.read.with("apns-channel-id", "BgcI")) == .channelNotRegistered)
    }

    @Test func `a fault replaces acceptance only`() {
        let fault = Rejection(.tooManyRequests, status: 429)
        #expect(verdict(Self.list, fault: fault).rejection == fault)
        #expect(
            verdict(Self.read.with("apns-channel-id", nil), fault: fault).rejection?.reason
                == .missingChannelID)
    }

    @Test func `certificates are judged as for pushes`() throws {
        func answer(_ environments: Set<APNs.Environment>, topics: [String]) throws -> Rejection? {
            let credential = try #require(
                CertificateCredential(
                    userID: nil, topics: topics, environments: environments, validSeconds: 0...Int64.max))
            return verdict(Self.list, credential: .certificate(credential)).rejection
        }
        #expect(try answer([.production], topics: ["com.example.app"]) == nil)
        #expect(try answer([.production], topics: ["com.example.other"]) == Rejection(.topicMismatch))
        #expect(try answer([.sandbox], topics: ["com.example.app"]) == Rejection(.badCertificateEnvironment))
        #expect(verdict(Self.list, credential: .unusableCertificate).rejection == Rejection(.badCertificate))
    }

    @Test func `while the gateway goes down every request is answered Shutdown`() {
        #expect(verdict(Self.list, isDraining: true).rejection == Rejection(.shutdown, status: 503))
    }

    @Test func `the journal names the operation`() {
        let journal = Journal(capacity: 10)
        func note(_ call: Call, fault: Rejection? = nil) {
            let verdict = verdict(call, fault: fault)
            journal.append(
                JournalRecord(
                    verdict, status: verdict.rejection?.status ?? 201, environment: .sandbox, connection: 1,
                    timeMilliseconds: 2))
        }
        note(Self.create)
        note(Self.publish.body(""))
        note(Self.list, fault: Rejection(.tooManyRequests))
        let records = journal.records(JournalQuery())
        #expect(records.map(\.operation) == [.createChannel, .publish, .listChannels])
        #expect(records.map(\.decision) == [.done, .refused, .faultReason])
        #expect(records.map(\.reason) == [nil, .payloadEmpty, .tooManyRequests])
        #expect(records.first?.topic?.rawValue == "com.example.app")
        #expect(records.first?.payloadByteCount == 55)
    }

    @Test func `apns-request-id is echoed or made`() {
        let id = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        #expect(verdict(Self.list.with("apns-request-id", id)).responseID.text == id)
        let made = verdict(Self.list).responseID
        #expect(made.text == made.id.uppercasedUUIDString)
    }

    @Test func `answers have Apple's statuses and bodies`() throws {
        let channel = try channel("AAEC")
        let created = ChannelResponse.created(channel)
        #expect(created.status == 201)
        #expect(created.channel == channel)
        #expect(created.body == nil)
        #expect(ChannelResponse.deleted.status == 204)
        #expect(ChannelResponse.published.status == 200)
        #expect(ChannelResponse.published.body == nil)
        let list = ChannelResponse.list([channel])
        #expect(list.body.map { String(decoding: $0, as: UTF8.self) } == #"{"channels":["AAEC"]}"#)
        let read = ChannelResponse.configuration(ChannelConfiguration(storagePolicy: .noMessage))
        #expect(
            read.body.map { String(decoding: $0, as: UTF8.self) }
                == #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
        let refused = ChannelResponse.rejected(Rejection(.featureNotEnabled), bodies: RejectionBodies())
        #expect(refused.status == 400)
        #expect(
            refused.body.map { String(decoding: $0, as: UTF8.self) } == #"{"reason":"FeatureNotEnabled"}"#)
    }
}
