import APNs
import PushStore
import Testing

@testable import PushService

@Suite struct MessageHeaderTests {
    @Test(arguments: [
        (#"{"alert":"x"}"#, PushType.alert, Priority?.none),
        (#"{"alert":"x","content-available":1}"#, .alert, nil),
        (#"{"content-available":"1","article":7}"#, .background, .normal),
        (#"{"content-available":true,"apns-priority":10}"#, .background, .normal),
        (#"{"content-available":1,"badge":0}"#, .alert, nil),
        (#"{"content-available":1,"sound":"x"}"#, .alert, nil),
        (#"{"content-available":1,"alert-fr":"x"}"#, .alert, nil),
        (#"{"aps":{"content-available":1}}"#, .background, .normal),
        (#"{"alert":"x","apns-priority":"5"}"#, .alert, .normal),
        (#"{"alert":"x","apns-priority":1}"#, .alert, .low),
        (#"{"alert":"x","apns-push-type":"VoIP"}"#, .voip, nil),
        (#"{"alert":"x","pushType":"voip"}"#, .voip, nil),
        (#"{"alert":"x","push_type":"background"}"#, .background, .normal),
        (#"{"alert":"x","pushType":"article"}"#, .alert, nil),
        (#"{"event":"update","content-state":{"a":1}}"#, .liveactivity, nil),
        (#"{"aps":{"event":"end"}}"#, .liveactivity, nil),
        (#"{"apns-push-type":"pushtotalk"}"#, .pushtotalk, .high),
    ])
    func `push type and priority follow from the content`(
        data: String, type: PushType, priority: Priority?
    ) throws {
        let composed = try MessageFixture.composed(data)
        #expect(composed.pushType == type)
        #expect(composed.priority == priority)
    }

    @Test(arguments: [
        ("alert", nil, nil, "com.example.news"),
        ("alert", "com.example.other", nil, "com.example.other"),
        ("alert", "com.example.other", "com.example.over", "com.example.over"),
        ("voip", nil, nil, "com.example.news.voip"),
        ("voip", "com.example.news.voip", nil, "com.example.news.voip"),
        ("voip", nil, "com.example.over", "com.example.over.voip"),
        ("liveactivity", nil, nil, "com.example.news.push-type.liveactivity"),
        ("liveactivity", "com.example.news.voip", nil, "com.example.news.push-type.liveactivity"),
        ("complication", nil, nil, "com.example.news.complication"),
        ("fileprovider", nil, nil, "com.example.news.pushkit.fileprovider"),
        ("location", nil, nil, "com.example.news.location-query"),
        ("pushtotalk", nil, nil, "com.example.news.voip-ptt"),
    ])
    func `a topic gets the suffix of the push type`(
        type: String, installation: String?, override: String?, topic: String
    ) throws {
        let event = type == "liveactivity" ? #","event":"update","content-state":{}"# : ""
        let composed = try MessageFixture.composed(
            #"{"apns-push-type":"\#(type)"\#(event)}"#, MessageFixture.device(topic: installation),
            context: try MessageFixture.context(override: override))
        #expect(composed.topic.rawValue == topic)
        #expect(composed.pushType.rawValue == type)
    }

    @Test func `a token registered for calls is sent calls when nothing else is said`() throws {
        let composed = try MessageFixture.composed(
            #"{"alert":"x"}"#, MessageFixture.device(topic: "com.example.news.voip"))
        #expect(composed.pushType == .voip)
        #expect(composed.topic.rawValue == "com.example.news.voip")
    }

    @Test func `an installation's topic that cannot be one is its own fault`() throws {
        var composer = try MessageFixture.composer(#"{"alert":"x"}"#)
        #expect(composer.compose(for: MessageFixture.device(topic: "a b"), badge: 0) == .invalidTopic)
        #expect(composer.compose(for: MessageFixture.device(topic: "a b"), badge: 0) == .invalidTopic)
        guard case .composed = composer.compose(for: MessageFixture.device(), badge: 0) else {
            Issue.record("the next device is not concerned")
            return
        }
    }

    @Test(arguments: [
        (#"{"alert":"x"}"#, "push-1"), (#"{"alert":"x","collapse-id":"mine"}"#, "mine"),
        (#"{"alert":"x","collapseId":"parse"}"#, "parse"), (#"{"alert":"x","collapse-id":12}"#, "12"),
    ])
    func `the push's id is the collapse id unless the request has one`(data: String, id: String) throws {
        let composed = try MessageFixture.composed(
            data, context: try MessageFixture.context(collapseID: "push-1"))
        #expect(composed.collapseID?.rawValue == id)
    }

    @Test(arguments: [Expiration.unspecified, .never, .at(secondsSince1970: 1_800_000_060)])
    func `never and unspecified stay apart`(expiration: Expiration) throws {
        let composed = try MessageFixture.composed(
            #"{"alert":"x"}"#, context: try MessageFixture.context(expiration: expiration))
        #expect(composed.expiration == expiration)
        let token = try DeviceToken(hex: String(repeating: "ab", count: 32))
        #expect(composed.notification(token: token).expiration == expiration)
    }

    @Test(arguments: [
        ("LeanCloud's", #"{"badge":"Increment"}"#, BadgeChange.raise(by: 1)),
        ("Parse's", #"{"badge":{"__op":"Increment","amount":3}}"#, .raise(by: 3)),
        ("Parse's default", #"{"badge":{"__op":"Increment"}}"#, .raise(by: 1)),
        ("down", #"{"badge":{"__op":"Increment","amount":-2}}"#, .raise(by: -2)),
        ("whole aps", #"{"aps":{"badge":"Increment"}}"#, .raise(by: 1)),
        ("set", #"{"badge":4}"#, .set(4)), ("none", #"{"alert":"x"}"#, .none),
    ])
    func `a badge is set, raised or left alone`(name: String, data: String, change: BadgeChange) throws {
        let composer = try MessageFixture.composer(data)
        #expect(composer.message.badgeChange(deviceType: "ios") == change)
        #expect(composer.needsBadge == (composer.message.badgeIncrement != nil))
    }

    @Test func `each device's number is put into the same bytes`() throws {
        var composer = try MessageFixture.composer(#"{"alert":"x","badge":"Increment","mine":"y"}"#)
        for badge: Int64 in [0, 1, 42, .max, .min] {
            guard case .composed(let composed) = composer.compose(for: MessageFixture.device(), badge: badge)
            else {
                Issue.record("not composed")
                return
            }
            let text = String(decoding: composed.payload, as: UTF8.self)
            #expect(text == #"{"aps":{"alert":"x","badge":\#(badge)},"mine":"y"}"#)
        }
    }

    @Test func `a Live Activity gets its time of sending and its sound inside the alert`() throws {
        let data =
            #"{"event":"update","content-state":{"score":"1:0"},"alert":"Goal","sound":"goal.caf","dismissal-date":1.9}"#
        #expect(
            try MessageFixture.payload(data)
                == #"{"aps":{"alert":{"body":"Goal","sound":"goal.caf"},"content-state":{"score":"1:0"},"dismissal-date":1,"event":"update","timestamp":1800000000}}"#
        )
        let start =
            #"{"aps":{"event":"start","timestamp":1799999999,"attributes-type":"Match","attributes":{"home":"A"},"content-state":{},"input-push-token":true,"alert":{"title":{"loc-key":"K","loc-args":["{{team|us}}"]},"body":"Kick-off"}}}"#
        #expect(
            try MessageFixture.payload(start, MessageFixture.device(["team": "Reds"]))
                == #"{"aps":{"alert":{"body":"Kick-off","title":{"loc-args":["Reds"],"loc-key":"K"}},"attributes":{"home":"A"},"attributes-type":"Match","content-state":{},"event":"start","input-push-token":1,"timestamp":1799999999}}"#
        )
        #expect(
            try MessageFixture.composer(start).report(now: 1_800_000_000).findings.filter {
                $0.severity == .error
            } == [])
    }

    @Test func `a broadcast is handed out with what publishing needs`() throws {
        let channel = "dHN0LXNyY2gtY2hubA=="
        let composer = try MessageFixture.composer(
            #"{"apns-channel-id":"\#(channel)","event":"update","content-state":{"a":1},"timestamp":5,"apns-priority":5}"#,
            try MessageFixture.context(topic: "com.example.news", expiration: .never))
        let broadcast = try #require(try composer.broadcast())
        #expect(broadcast.channel.rawValue == channel)
        #expect(broadcast.bundleID == "com.example.news")
        #expect(broadcast.priority == .normal)
        #expect(broadcast.expiration == .never)
        #expect(
            String(decoding: broadcast.payload, as: UTF8.self)
                == #"{"aps":{"content-state":{"a":1},"event":"update","timestamp":5}}"#)
        #expect(try MessageFixture.composer(#"{"alert":"x"}"#).broadcast() == nil)
    }

    @Test(arguments: [
        #""alert":"x""#,
        #""event":"start","content-state":{},"attributes":{},"attributes-type":"A","alert":"x""#,
        #""event":"update","content-state":{},"alert":"{{name}}""#,
        #""event":"update","content-state":{},"badge":"Increment""#,
    ])
    func `what cannot be broadcast is refused`(data: String) throws {
        let composer = try MessageFixture.composer(#"{"apns-channel-id":"dHN0LXNyY2gtY2hubA==",\#(data)}"#)
        #expect(throws: ChangeError.self) { try composer.broadcast() }
    }
}
