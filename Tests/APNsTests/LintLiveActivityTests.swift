import Testing

@testable import APNs

@Suite struct LintLiveActivityTests {
    static let headers = LintHeaders(
        pushType: "liveactivity", topic: "com.example.app.push-type.liveactivity", priority: "5")

    @Test(arguments: [
        #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{"a":1},"relevance-score":75}}"#,
        #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{},"stale-date":1764460900,"#
            + #""alert":{"title":{"loc-key":"k","loc-args":["a"]},"body":"b","sound":"s.mp4"}}}"#,
        #"{"aps":{"timestamp":1764460800,"event":"start","content-state":{},"attributes-type":"A","#
            + #""attributes":{},"input-push-token":1,"alert":{"title":"t","body":"b"}}}"#,
        #"{"aps":{"timestamp":1764460800,"event":"end","content-state":{},"dismissal-date":1764460700}}"#,
        #"{"aps":{"timestamp":1764460800,"event":"end","content-state":{},"dismissal-date":1}}"#,
    ])
    func `a correct Live Activity has no findings`(json: String) {
        #expect(
            Lint.payload(Array(json.utf8), headers: LintLiveActivityTests.headers, now: 1_764_460_800) == [])
        #expect(Lint.payload(Array(json.utf8)) == [])
    }

    static let wrong: [(json: String, findings: [String], text: String)] = [
        (
            #"{"aps":{}}"#,
            [
                "error event aps.event", "error missing-part aps.timestamp",
                "error missing-part aps.content-state",
            ],
            "add \"start\", \"update\" or \"end\""
        ),
        (
            #"{"aps":{"timestamp":1764460800,"events":"update","content-state":{}}}"#,
            ["error misspelt-key aps.events"], "write \"event\""
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"pause","content-state":{}}}"#,
            ["error event aps.event"], "start, update or end"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"Update","content-state":{}}}"#,
            ["error event aps.event"], "write \"update\""
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"start","content-state":{}}}"#,
            [
                "error missing-part aps.attributes-type", "error missing-part aps.attributes",
                "error missing-part aps.alert",
            ], "does not start"
        ),
        (
            #"{"aps":{"timestamp":1764460800000,"event":"update","content-state":{}}}"#,
            ["error instant aps.timestamp"], "looks like milliseconds"
        ),
        (
            #"{"aps":{"timestamp":"1764460800","event":"update","content-state":{}}}"#,
            ["error wrong-type aps.timestamp"], "number of seconds since 1970"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"update","content-state":"{}","stale-date":60}}"#,
            ["error wrong-type aps.content-state", "error instant aps.stale-date"], "write an object"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{},"stale-date":1764460800}}"#,
            ["warning instant aps.stale-date"], "stale at once"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{},"dismissal-date":1764460900,"#
                + #""attributes":{}}}"#,
            ["warning needless-part aps.attributes", "warning needless-part aps.dismissal-date"],
            "unless event"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"end"}}"#, ["warning missing-part aps.content-state"],
            "final content"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{},"sound":"s","#
                + #""alert":{"title":"t","titel":"x","loc-key":"k","subtitle":"s"}}}"#,
            [
                "error misplaced-key aps.alert.loc-key", "warning unknown-key aps.alert.subtitle",
                "error misspelt-key aps.alert.titel", "warning misplaced-key aps.sound",
            ], "inside title or body"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{},"alert":"x"}}"#,
            ["error wrong-type aps.alert"], "object with title and body"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{},"#
                + #""alert":{"title":{"loc-args":["x"]},"body":{"key":"x"},"sound":1}}}"#,
            [
                "error missing-part aps.alert.body.loc-key", "warning unknown-key aps.alert.body.key",
                "error wrong-type aps.alert.sound", "error arguments-without-key aps.alert.title.loc-args",
            ], "an object without loc-key"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{},"alert":{}}}"#,
            ["error empty-alert aps.alert"], "add title and body"
        ),
        (
            #"{"aps":{"timestamp":1764460800,"event":"start","content-state":{},"attributes-type":"A","#
                + #""attributes":[],"alert":{"title":"t"},"input-push-token":1,"input-push-channel":"AAAA"}}"#,
            ["error wrong-type aps.attributes", "warning needless-part aps.input-push-token"], "keep one"
        ),
    ]

    @Test(arguments: wrong)
    func `a wrong Live Activity has its findings`(json: String, findings: [String], text: String) {
        let found = Lint.payload(
            Array(json.utf8), headers: LintLiveActivityTests.headers, now: 1_764_460_800)
        #expect(found.map(summary) == findings)
        #expect(found.contains { $0.message.contains(text) }, "\(found)")
    }

    @Test func `an event with another push type is a mismatch`() {
        let json = #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{}}}"#
        let found = Lint.payload(Array(json.utf8), headers: LintHeaders(pushType: "alert"))
        #expect(found.map(summary) == ["error push-type-mismatch aps.event"])
    }

    @Test func `priority 1 is not for Live Activities`() {
        var headers = LintLiveActivityTests.headers
        headers.priority = "1"
        let json = #"{"aps":{"timestamp":1764460800,"event":"update","content-state":{}}}"#
        #expect(
            Lint.payload(Array(json.utf8), headers: headers).map(summary) == [
                "warning priority apns-priority"
            ])
    }
}

@Suite struct LintSimulatorFileTests {
    @Test func `a correct file has no findings`() {
        let json = #"{"Simulator Target Bundle":"com.example.app","aps":{"alert":"x"},"k":1}"#
        #expect(Lint.simulatorFile(Array(json.utf8)) == [])
    }

    static let wrong: [(json: String, findings: [String], text: String)] = [
        ("", ["error empty "], "is empty"),
        ("{", ["error json "], "line 1"),
        (
            #"{"aps":{"alert":"x"}}"#, ["warning simulator-target Simulator Target Bundle"],
            "bundle identifier, or name the app"
        ),
        (
            #"{"Simulator Target Bundle":"a b","aps":{"alert":"x"}}"#,
            ["error simulator-target Simulator Target Bundle"], "found byte 32"
        ),
        (
            #"{"Simulator Target Bundle":1,"aps":{"alert":"x"}}"#,
            ["error simulator-target Simulator Target Bundle"], "the number 1"
        ),
        (#"{"Simulator Target Bundle":"a.b"}"#, ["error missing-aps aps"], "aps is missing"),
        (#"{"Simulator Target Bundle":"a.b","mdm":"x"}"#, ["error missing-aps aps"], "aps is missing"),
        (#"{"Simulator Target Bundle":"a.b","aps":{"badge":"1"}}"#, ["error wrong-type aps.badge"], "badge"),
    ]

    @Test(arguments: wrong)
    func `a wrong file has its findings`(json: String, findings: [String], text: String) {
        let found = Lint.simulatorFile(Array(json.utf8))
        #expect(found.map(summary) == findings)
        #expect(found.contains { $0.message.contains(text) }, "\(found)")
    }

    @Test func `a file has at most 4096 bytes`() {
        let body = String(repeating: "x", count: 4096)
        let json = #"{"Simulator Target Bundle":"a.b","aps":{"alert":"\#(body)"}}"#
        let found = Lint.simulatorFile(Array(json.utf8))
        #expect(found.map(summary) == ["error size "])
        #expect(found.first?.message.contains("the simulator takes") == true)
    }
}
