import Testing

@testable import APNs

@Suite struct PayloadTests {
    /// Payloads in the shapes of Apple's samples, with the bytes each one becomes.
    static let samples: [(payload: Payload, json: String)] = [
        (Payload(), #"{"aps":{}}"#),
        (Payload(alert: .text("You got your emails.")), #"{"aps":{"alert":"You got your emails."}}"#),
        (
            Payload(
                alert: .content(
                    title: "Game Request", subtitle: "Five Card Draw", body: "Bob wants to play poker"),
                category: "GAME_INVITATION", custom: ["gameID": "12345678"]),
            #"{"aps":{"alert":{"title":"Game Request","subtitle":"Five Card Draw","#
                + #""body":"Bob wants to play poker"},"category":"GAME_INVITATION"},"gameID":"12345678"}"#
        ),
        (
            Payload(badge: 9, sound: .named("bingbong.aiff"), custom: ["messageID": "ABCDEFGHIJ"]),
            #"{"aps":{"badge":9,"sound":"bingbong.aiff"},"messageID":"ABCDEFGHIJ"}"#
        ),
        (
            Payload(alert: localizedAlert()),
            #"{"aps":{"alert":{"title-loc-key":"T","subtitle-loc-key":"S","subtitle-loc-args":["1"],"#
                + #""loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["Shelly","Rick"],"#
                + #""launch-image":"launch"}}}"#
        ),
        (
            Payload(contentAvailable: true, custom: ["acme2": 42, "acme1": "bar"]),
            #"{"aps":{"content-available":1},"acme1":"bar","acme2":42}"#
        ),
        (
            Payload(
                badge: 0, sound: .critical(name: "default", volume: 1), threadID: "t", mutableContent: true,
                targetContentID: "w", interruptionLevel: .timeSensitive, relevanceScore: 0.5,
                filterCriteria: "f"),
            #"{"aps":{"badge":0,"sound":{"critical":1,"name":"default","volume":1},"thread-id":"t","#
                + #""mutable-content":1,"target-content-id":"w","interruption-level":"time-sensitive","#
                + #""relevance-score":0.5,"filter-criteria":"f"}}"#
        ),
        (Payload(contentChanged: true), #"{"aps":{"content-changed":true}}"#),
        (Payload(custom: ["mdm": "magic"]), #"{"mdm":"magic"}"#),
        (
            Payload(
                alert: .content(title: "a/b", body: "Grüße 👋🏽\n\"…\""), urlArguments: ["boarding", "A998"]),
            #"{"aps":{"alert":{"title":"a/b","body":"Grüße 👋🏽\n\"…\""},"url-args":["boarding","A998"]}}"#
        ),
        (
            Payload(
                alert: .text("x"), otherAPSKeys: ["new-key": [1, true, nil]],
                custom: ["z": nil, "y": ["d": 1.5, "c": [], "b": [:], "a": false]]),
            #"{"aps":{"alert":"x","new-key":[1,true,null]},"y":{"a":false,"b":{},"c":[],"d":1.5},"z":null}"#
        ),
    ]

    static let liveActivities: [(payload: Payload, json: String)] = [
        (
            Payload(
                liveActivity: LiveActivity(
                    event: .update, timestamp: 1_168_364_460,
                    contentState: ["currentHealthLevel": 0, "eventDescription": "Power Panda is down!"],
                    alert: LiveActivity.Alert(
                        title: .localized(
                            LocalizedText(key: "%@ is knocked down!", arguments: ["Power Panda"])),
                        body: .localized(LocalizedText(key: "Use a potion to heal!")),
                        sound: "HeroDown.mp4"))),
            #"{"aps":{"timestamp":1168364460,"event":"update","content-state":{"currentHealthLevel":0,"#
                + #""eventDescription":"Power Panda is down!"},"alert":{"title":{"#
                + #""loc-key":"%@ is knocked down!","loc-args":["Power Panda"]},"#
                + #""body":{"loc-key":"Use a potion to heal!"},"sound":"HeroDown.mp4"}}}"#
        ),
        (
            Payload(
                relevanceScore: 75,
                liveActivity: LiveActivity(
                    event: .start(
                        LiveActivity.Start(
                            attributesType: "AdventureAttributes",
                            attributes: ["currentHealthLevel": 100], input: .token)),
                    timestamp: 1_234, contentState: [:],
                    alert: LiveActivity.Alert(title: .literal("Go"), body: .literal("Now")))),
            #"{"aps":{"timestamp":1234,"event":"start","content-state":{},"#
                + #""attributes-type":"AdventureAttributes","attributes":{"currentHealthLevel":100},"#
                + #""input-push-token":1,"alert":{"title":"Go","body":"Now"},"relevance-score":75}}"#
        ),
        (
            Payload(
                liveActivity: LiveActivity(
                    event: .end(dismissalDate: 1_300), timestamp: 1_234, staleDate: 1_250)),
            #"{"aps":{"timestamp":1234,"event":"end","stale-date":1250,"dismissal-date":1300}}"#
        ),
        (
            Payload(
                liveActivity: LiveActivity(event: .end(), timestamp: 1, contentState: ["a": 1])),
            #"{"aps":{"timestamp":1,"event":"end","content-state":{"a":1}}}"#
        ),
    ]

    @Test(arguments: samples + liveActivities)
    func `a payload becomes exactly Apple's JSON and is read back`(payload: Payload, json: String) throws {
        let encoded = try payload.encoded()
        #expect(String(decoding: encoded, as: UTF8.self) == json)
        #expect(try Payload(parsing: encoded) == payload)
    }

    @Test func `an activity started on a channel names the channel`() throws {
        let start = LiveActivity.Start(
            attributesType: "A", attributes: [:], input: .channel(try ChannelID("dHN0LXNyY2gtY2hubA==")))
        let payload = Payload(liveActivity: LiveActivity(event: .start(start), timestamp: 1))
        let json = String(decoding: try payload.encoded(), as: UTF8.self)
        #expect(json.contains(#""input-push-channel":"dHN0LXNyY2gtY2hubA==""#))
        #expect(try Payload(parsing: Array(json.utf8)) == payload)
    }

    @Test(arguments: [
        Payload(custom: ["aps": [:]]), Payload(otherAPSKeys: ["badge": 1]),
        Payload(
            alert: .text("a"),
            liveActivity: LiveActivity(
                event: .update, timestamp: 1, alert: LiveActivity.Alert(body: .literal("b")))),
        Payload(relevanceScore: .nan), Payload(custom: ["x": .number(.infinity)]),
    ])
    func `a payload that contradicts itself is refused`(payload: Payload) {
        #expect(throws: APNsError.self) { try payload.encoded() }
        #expect(throws: APNsError.self) { try payload.shortened(for: .alert) }
    }

    @Test(arguments: [
        ("[]", "a payload is an object, not an array"), (#"{"aps":[]}"#, "aps is an object, not an array"),
        (#"{"aps":{"alert":1}}"#, "aps.alert is an object, not a number"),
        (#"{"aps":{"alert":{"body":1}}}"#, "aps.alert.body is a string, not a number"),
        (#"{"aps":{"alert":{"loc-key":"k","loc-args":"x"}}}"#, "aps.alert.loc-args is an array of strings"),
        (#"{"aps":{"alert":{"loc-key":"k","loc-args":[1]}}}"#, "aps.alert.loc-args is an array of strings"),
        (#"{"aps":{"badge":"1"}}"#, "aps.badge is a whole number, not a string"),
        (#"{"aps":{"badge":true}}"#, "aps.badge is a whole number, not a Boolean"),
        (#"{"aps":{"badge":1.5}}"#, "aps.badge is a whole number, not a number"),
        (#"{"aps":{"content-available":"1"}}"#, "aps.content-available is 1 or 0, not a string"),
        (#"{"aps":{"sound":{"critical":1,"volume":"loud"}}}"#, "aps.sound.volume is a number, not a string"),
        (#"{"aps":{"interruption-level":"loud"}}"#, "aps.interruption-level is passive, active"),
        (#"{"aps":{"event":"update"}}"#, "aps.timestamp is a number beside event, not nothing"),
        (#"{"aps":{"event":"pause","timestamp":1}}"#, "aps.event is start, update or end"),
        (#"{"aps":{"event":"start","timestamp":1}}"#, "aps.attributes-type is a string with event start"),
        (#"{"aps":{"event":"start","timestamp":1,"attributes-type":"A"}}"#, "aps.attributes is an object"),
        (
            #"{"aps":{"event":"end","timestamp":1,"alert":{"title":{}}}}"#,
            "aps.alert.title.loc-key is a string"
        ),
        (#"{"aps":{"#, "line 1, column 9"),
    ])
    func `a payload with a wrong type is refused with its key`(json: String, message: String) {
        let error = #expect(throws: APNsError.self) { try Payload(parsing: Array(json.utf8)) }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `null inside aps counts as absent and unknown keys are kept`() throws {
        let json = #"{"aps":{"alert":null,"badge":null,"sound":"s","x-y":{"z":null}},"k":null}"#
        let payload = try Payload(parsing: Array(json.utf8))
        #expect(payload == Payload(sound: .named("s"), otherAPSKeys: ["x-y": ["z": nil]], custom: ["k": nil]))
    }

    @Test func `raw JSON is kept as it is`() throws {
        let json = Array("{ \"b\" : 1.0,\n \"aps\":{\"alert\":\"\\u00e9\\/\"} , \"b\":2 }".utf8)
        #expect(try Payload.raw(json) == json)
        #expect(throws: APNsError.self) { try Payload.raw(Array("[1]".utf8)) }
        #expect(throws: APNsError.self) { try Payload.raw(Array("{".utf8)) }
        #expect(throws: APNsError.self) { try Payload.raw([]) }
    }

    @Test(arguments: [(PushType?.none, 4096), (.alert, 4096), (.voip, 5120), (.liveactivity, 4096)])
    func `the size limit depends on the push type`(type: PushType?, limit: Int) throws {
        try Payload.checkSize(limit, pushType: type)
        let error = #expect(throws: APNsError.self) { try Payload.checkSize(limit + 1, pushType: type) }
        #expect(error?.code == .payloadTooLarge)
        #expect(error?.message == "the payload has \(limit + 1) bytes; at most \(limit) are allowed")
    }
}

private func localizedAlert() -> Alert {
    var content = Alert.Content()
    content.localizedTitle = LocalizedText(key: "T")
    content.localizedSubtitle = LocalizedText(key: "S", arguments: ["1"])
    content.localizedBody = LocalizedText(key: "GAME_PLAY_REQUEST_FORMAT", arguments: ["Shelly", "Rick"])
    content.launchImage = "launch"
    return .content(content)
}
