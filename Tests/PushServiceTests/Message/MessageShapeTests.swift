import APNs
import PushStore
import Testing

@testable import PushService

/// From the shapes of `data` that LeanCloud and Parse document to Apple's payload.
@Suite struct MessageShapeTests {
    @Test(arguments: [
        // LeanCloud: push REST API guide, its examples.
        (#"{"alert":"Hello From LeanCloud."}"#, #"{"aps":{"alert":"Hello From LeanCloud."}}"#),
        (
            #"{"alert":"消息内容","category":"通知分类名称","thread-id":"通知分组名称","badge":3,"sound":"ping.caf","content-available":1,"mutable-content":1,"custom-key":"由用户添加"}"#,
            #"{"aps":{"alert":"消息内容","badge":3,"category":"通知分类名称","content-available":1,"mutable-content":1,"sound":"ping.caf","thread-id":"通知分组名称"},"custom-key":"由用户添加"}"#
        ),
        (
            #"{"alert":{"title":"标题","title-loc-key":"T","title-loc-args":["a","b"],"subtitle":"附标题","subtitle-loc-key":"S","subtitle-loc-args":["c"],"body":"消息内容","action-loc-key":"PLAY","loc-key":"L","loc-args":["d"],"launch-image":"i.png","summary-arg":"A","summary-arg-count":2}}"#,
            #"{"aps":{"alert":{"action-loc-key":"PLAY","body":"消息内容","launch-image":"i.png","loc-args":["d"],"loc-key":"L","subtitle":"附标题","subtitle-loc-args":["c"],"subtitle-loc-key":"S","summary-arg":"A","summary-arg-count":2,"title":"标题","title-loc-args":["a","b"],"title-loc-key":"T"}}}"#
        ),
        (
            #"{"ios":{"alert":"to iPhones","badge":1},"android":{"alert":"to Androids","title":"t"}}"#,
            #"{"aps":{"alert":"to iPhones","badge":1}}"#
        ),
        (
            #"{"alert":"for all","android":{"alert":"x"},"wp":{"alert":"y"},"id":7}"#,
            #"{"aps":{"alert":"for all"},"id":7}"#
        ),
        (
            #"{"aps":{"alert":{"title":"t","body":"b"},"sound":"default"},"title":"the app's own","acme":{"a":[1,null]}}"#,
            #"{"aps":{"alert":{"body":"b","title":"t"},"sound":"default"},"acme":{"a":[1,null]},"title":"the app's own"}"#
        ),
        (
            #"{"alert":"x","sound":{"name":"alarm.caf","critical":true,"volume":"0.5"}}"#,
            #"{"aps":{"alert":"x","sound":{"critical":1,"name":"alarm.caf","volume":0.5}}}"#
        ),
        (
            #"{"alert":"x","sound":{"critical":1,"volume":1}}"#,
            #"{"aps":{"alert":"x","sound":{"critical":1,"name":"default","volume":1}}}"#
        ),
        (
            #"{"alert":"x","sound":{"name":"a.caf","critical":0,"volume":0.3}}"#,
            #"{"aps":{"alert":"x","sound":"a.caf"}}"#
        ),
        // Where a title stands beside the alert.
        (#"{"alert":"b","title":"t"}"#, #"{"aps":{"alert":{"body":"b","title":"t"}}}"#),
        (
            #"{"alert":{"body":"b","title":"in"},"title":"out"}"#,
            #"{"aps":{"alert":{"body":"b","title":"in"}}}"#
        ),
        (#"{"title":"t"}"#, #"{"aps":{"alert":{"title":"t"}}}"#),
        (
            #"{"alert":"x","interruption-level":"time-sensitive","relevance-score":0.5,"target-content-id":"w","url-args":["a",1],"filter-criteria":"f"}"#,
            #"{"aps":{"alert":"x","filter-criteria":"f","interruption-level":"time-sensitive","relevance-score":0.5,"target-content-id":"w","url-args":["a","1"]}}"#
        ),
        // Parse's names have their effect, and stay what they are to LeanCloud's customers: the app's own.
        (
            #"{"alert":"x","threadId":"g","targetContentIdentifier":"w","interruptionLevel":"passive"}"#,
            #"{"aps":{"alert":"x","interruption-level":"passive","target-content-id":"w","thread-id":"g"},"interruptionLevel":"passive","targetContentIdentifier":"w","threadId":"g"}"#
        ),
        (
            #"{"alert":"x","interruptionLevel":"loud","threadId":9}"#,
            #"{"aps":{"alert":"x"},"interruptionLevel":"loud","threadId":9}"#
        ),
        // Keys that are Apple's only in a Live Activity.
        (
            #"{"alert":"x","event":"open","timestamp":"now","attributes":[1],"priority":1}"#,
            #"{"aps":{"alert":"x"},"attributes":[1],"event":"open","priority":1,"timestamp":"now"}"#
        ),
        // Null is absent where Apple reads, and stays where the app reads.
        (#"{"alert":"x","badge":null,"sound":null,"mine":null}"#, #"{"aps":{"alert":"x"},"mine":null}"#),
        (#"{"alert":"x","badge":0}"#, #"{"aps":{"alert":"x","badge":0}}"#),
        (#"{"alert":"x","badge":"7"}"#, #"{"aps":{"alert":"x","badge":7}}"#),
        (#"{"alert":5}"#, #"{"aps":{"alert":"5"}}"#),
        (#"{"alert":"a\"b\\c\n\u0001/<é"}"#, #"{"aps":{"alert":"a\"b\\c\n\u0001/<é"}}"#),
        (#"{}"#, #"{"aps":{}}"#),
        // A platform's name with anything but a block is the app's own.
        (#"{"alert":"x","ios":"yes"}"#, #"{"aps":{"alert":"x"},"ios":"yes"}"#),
    ])
    func `data becomes Apple's payload`(data: String, payload: String) throws {
        #expect(try MessageFixture.payload(data) == payload)
    }

    @Test(arguments: ["content-available", "mutable-content"])
    func `a switch is the number 1, however it was written`(key: String) throws {
        for on in ["1", "true", #""1""#, #""true""#] {
            let payload = try MessageFixture.payload(#"{"alert":"x","\#(key)":\#(on)}"#)
            #expect(payload == #"{"aps":{"alert":"x","\#(key)":1}}"#, "\(on)")
        }
        for off in ["0", "false", #""0""#, #""""#, "null"] {
            let payload = try MessageFixture.payload(#"{"alert":"x","\#(key)":\#(off)}"#)
            #expect(payload == #"{"aps":{"alert":"x"}}"#, "\(off)")
        }
    }

    @Test(arguments: [
        (#"[]"#, 107, "data"), (#""x""#, 107, "data"), (#"null"#, 107, "data"),
        (#"{"alert":[]}"#, 111, "data.alert"), (#"{"alert":true}"#, 111, "data.alert"),
        (#"{"alert":{"title":{}}}"#, 111, "data.alert.title"),
        (#"{"alert":{"loc-args":"x"}}"#, 111, "data.alert.loc-args"),
        (#"{"alert":{"loc-args":["x",{}]}}"#, 111, "data.alert.loc-args[1]"),
        (#"{"alert":{"title-fr":1}}"#, 111, "data.alert.title-fr"),
        (#"{"badge":"increment"}"#, 111, "data.badge"), (#"{"badge":1.5}"#, 111, "data.badge"),
        (#"{"badge":true}"#, 111, "data.badge"), (#"{"badge":{"__op":"Delete"}}"#, 111, "data.badge"),
        (#"{"badge":{"__op":"Increment","amount":"x"}}"#, 111, "data.badge.amount"),
        (#"{"badge":{"__op":"Increment","amount":9223372036854775807}}"#, 1, "data.badge.amount"),
        (#"{"sound":[]}"#, 111, "data.sound"),
        (#"{"sound":{"critical":"maybe"}}"#, 111, "data.sound.critical"),
        (#"{"sound":{"critical":1,"volume":"loud"}}"#, 111, "data.sound.volume"),
        (#"{"sound":{"critical":1,"volume":2}}"#, 1, "data.sound.volume"),
        (#"{"sound":{"critical":1,"volume":"nan"}}"#, 111, "data.sound.volume"),
        (#"{"content-available":2}"#, 111, "data.content-available"),
        (#"{"mutable-content":{}}"#, 111, "data.mutable-content"),
        (#"{"url-args":"x"}"#, 111, "data.url-args"),
        (#"{"interruption-level":"loud"}"#, 1, "data.interruption-level"),
        (#"{"relevance-score":"x"}"#, 111, "data.relevance-score"),
        (#"{"collapse-id":""}"#, 1, "data.collapse-id"), (#"{"collapse-id":[]}"#, 111, "data.collapse-id"),
        (#"{"apns-priority":7}"#, 1, "data.apns-priority"),
        (#"{"apns-priority":"x"}"#, 111, "data.apns-priority"),
        (#"{"apns-push-type":"sms"}"#, 1, "data.apns-push-type"),
        (#"{"apns-push-type":1}"#, 1, "data.apns-push-type"),
        (#"{"apns-channel-id":"!"}"#, 1, "data.apns-channel-id"),
        (#"{"aps":"x"}"#, 111, "data.aps"), (#"{"aps":{"badge":[]}}"#, 111, "data.aps.badge"),
        (#"{"ios":{"badge":[]}}"#, 111, "data.ios.badge"),
        (#"{"alert":"x","macos":{"badge":[]}}"#, 111, "data.macos.badge"),
        (#"{"apns-push-type":"liveactivity","events":"update","content-state":{}}"#, 1, "data.event"),
        (#"{"apns-push-type":"liveactivity","event":"stop"}"#, 1, "data.event"),
        (#"{"event":"update","content-state":{},"timestamp":"soon"}"#, 111, "data.timestamp"),
        (#"{"aps":{"event":"update","content-state":"x"}}"#, 111, "data.aps.content-state"),
    ])
    func `what cannot be meant is refused, with the field's name`(
        data: String, code: Int, field: String
    ) throws {
        let refusal = try MessageFixture.refusal(data)
        #expect(refusal?.code == code)
        #expect(refusal?.message.hasPrefix(field + ":") == true, "\(refusal?.message ?? "accepted")")
    }

    @Test func `a block speaks for its platform alone, and that of iOS for every other of Apple's`() throws {
        let data =
            #"{"alert":"top","ios":{"alert":"phone"},"macos":{"alert":"desk"},"watchos":{"alert":"wrist"}}"#
        for (type, text) in [
            ("ios", "phone"), ("macos", "desk"), ("osx", "desk"), ("watchos", "wrist"), ("tvos", "phone"),
            (nil, "phone"),
        ] {
            let payload = try MessageFixture.payload(data, MessageFixture.device(type: type))
            #expect(payload == #"{"aps":{"alert":"\#(text)"}}"#)
        }
        let plain = #"{"alert":"top","tvos":{"alert":"screen"}}"#
        #expect(try MessageFixture.payload(plain) == #"{"aps":{"alert":"top"}}"#)
        #expect(
            try MessageFixture.payload(plain, MessageFixture.device(type: "tvos"))
                == #"{"aps":{"alert":"screen"}}"#)
    }

    @Test func `what the top level says wrongly does not matter to a platform with a block`() throws {
        #expect(try MessageFixture.refusal(#"{"badge":[],"ios":{"alert":"x"}}"#) == nil)
    }

    @Test func `nesting beyond what JSON readers take is refused, not sent`() throws {
        var value: JSONValue = 1
        for _ in 0..<40 { value = .array([value]) }
        let message = try Message(data: ["deep": value])
        #expect(throws: ChangeError.self) {
            try MessageComposer(message, context: try MessageFixture.context())
        }
    }
}
