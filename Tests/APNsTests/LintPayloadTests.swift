import Testing

@testable import APNs

@Suite struct LintPayloadTests {
    @Test(arguments: PayloadTests.samples.dropFirst().map(\.json))
    func `payloads in the shape of Apple's samples have no errors`(json: String) {
        #expect(Lint.payload(Array(json.utf8)).filter { $0.severity == .error } == [])
    }

    @Test(arguments: [
        #"{"aps":{"alert":"x"}}"#, #"{"aps":{"alert":{"title":"t","subtitle":"s","body":"b"},"badge":0}}"#,
        #"{"aps":{"sound":{"critical":1,"name":"a","volume":0.5},"interruption-level":"critical"}}"#,
        #"{"aps":{"content-available":1},"event":"x","category":7,"timestamp":5,"user_id":{}}"#,
        #"{"aps":{"alert":"x","relevance-score":1,"url-args":["a"],"filter-criteria":"f","thread-id":"t"}}"#,
        #"{"mdm":"magic"}"#, #"{"aps":{"content-changed":true}}"#,
    ])
    func `a correct payload has no findings`(json: String) {
        #expect(Lint.payload(Array(json.utf8)) == [])
    }

    static let wrong: [(json: String, findings: [String], text: String)] = [
        // The text.
        ("", ["error empty "], "is empty"),
        ("{\"aps\":{}", ["error json "], "line 1, column 10"),
        ("{\"aps\":{\"badge\":1,}}", ["error json "], "line 1, column 18: a comma after the last element"),
        ("[1]", ["error not-object "], "an array; it must be an object"),
        ("\"x\"", ["error not-object "], "the string \"x\""),
        (
            #"{"aps":{"badge":1,"badge":2}}"#, ["error repeated-key aps.badge"],
            "\"badge\" occurs more than once"
        ),
        (#"{"aps":{"badge":1},"aps":{}}"#, ["error repeated-key aps"], "\"aps\" occurs more than once"),
        // Keys.
        (#"{}"#, ["error missing-aps aps"], "aps is missing"),
        (#"{"id":1}"#, ["error missing-aps aps"], "aps is missing"),
        (#"{"APS":{"alert":"x"}}"#, ["error misspelt-key APS"], "write \"aps\""),
        (#"{"asp":{}}"#, ["error misspelt-key asp"], "write \"aps\""),
        (#"{"aps":[]}"#, ["error wrong-type aps"], "aps is an array"),
        (#"{"aps":null}"#, ["error wrong-type aps"], "aps is null"),
        (#"{"aps":{},"alert":"x"}"#, ["error misplaced-key alert"], "move it into aps"),
        (#"{"aps":{"alert":"x"},"alert":"x"}"#, ["warning misplaced-key alert"], "since aps has one"),
        (#"{"aps":{},"content-available":1}"#, ["error misplaced-key content-available"], "move it into aps"),
        (
            #"{"aps":{},"content_available":1}"#, ["warning misspelt-key content_available"],
            "write \"content-available\" inside aps"
        ),
        (#"{"aps":{},"threadId":"x"}"#, ["warning misspelt-key threadId"], "write \"thread-id\" inside aps"),
        (
            #"{"aps":{},"mutable-contents":1}"#, ["warning misspelt-key mutable-contents"],
            "\"mutable-content\""
        ),
        (
            #"{"aps":{"content_available":1}}"#, ["error misspelt-key aps.content_available"],
            "\"content-available\""
        ),
        (
            #"{"aps":{"contentAvailable":1}}"#, ["error misspelt-key aps.contentAvailable"],
            "\"content-available\""
        ),
        (
            #"{"aps":{"content-availible":1}}"#, ["error misspelt-key aps.content-availible"],
            "\"content-available\""
        ),
        (
            #"{"aps":{"mutable_content":1}}"#, ["error misspelt-key aps.mutable_content"],
            "\"mutable-content\""
        ),
        (#"{"aps":{"threadId":"x"}}"#, ["error misspelt-key aps.threadId"], "\"thread-id\""),
        (#"{"aps":{"Badge":1}}"#, ["error misspelt-key aps.Badge"], "\"badge\""),
        (#"{"aps":{"bagde":1}}"#, ["error misspelt-key aps.bagde"], "\"badge\""),
        (#"{"aps":{"sounds":"x"}}"#, ["error misspelt-key aps.sounds"], "\"sound\""),
        (#"{"aps":{"sound":"a","Sound":"x"}}"#, ["error misspelt-key aps.Sound"], "since aps has one"),
        (#"{"aps":{"title":"x"}}"#, ["error misplaced-key aps.title"], "into aps.alert"),
        (#"{"aps":{"user-id":1}}"#, ["warning unknown-key aps.user-id"], "move it beside aps"),
        (
            #"{"aps":{"alert":{"body":"x","badge":1}}}"#, ["error misplaced-key aps.alert.badge"],
            "move it into aps"
        ),
        (
            #"{"aps":{"alert":{"body":"x","text":1}}}"#, ["warning unknown-key aps.alert.text"],
            "not a key of alert"
        ),
        (#"{"aps":{"alert":{"boddy":"x","title":"t"}}}"#, ["error misspelt-key aps.alert.boddy"], "\"body\""),
        (
            #"{"aps":{"alert":{"body":"x","launchImage":"y"}}}"#,
            ["error misspelt-key aps.alert.launchImage"], "\"launch-image\""
        ),
        (
            #"{"aps":{"alert":{"body":"x","threadId":"y"}}}"#, ["error misspelt-key aps.alert.threadId"],
            "inside aps"
        ),
        (
            #"{"aps":{"alert":{"body":"x","summary-arg":"y"}}}"#,
            ["warning obsolete-key aps.alert.summary-arg"], "iOS 15"
        ),
        (
            #"{"aps":{},"Simulator Target Bundle":"a.b"}"#, ["warning simulator-key Simulator Target Bundle"],
            "remove it"
        ),
        // Types.
        (
            #"{"aps":{"content-available":"1"}}"#, ["error wrong-type aps.content-available"],
            "content-available is the string \"1\": write the number 1, without quotation marks"
        ),
        (
            #"{"aps":{"content-available":true}}"#, ["warning wrong-type aps.content-available"],
            "write the number 1"
        ),
        (#"{"aps":{"content-available":2}}"#, ["error wrong-type aps.content-available"], "the number 2"),
        (
            #"{"aps":{"content-available":0}}"#, ["warning switch-off aps.content-available"],
            "leave the key out"
        ),
        (
            #"{"aps":{"badge":"3"}}"#, ["error wrong-type aps.badge"],
            "badge is the string \"3\": write the number without"
        ),
        (#"{"aps":{"badge":"many"}}"#, ["error wrong-type aps.badge"], "write a number"),
        (#"{"aps":{"badge":1.5}}"#, ["error wrong-type aps.badge"], "write a whole number"),
        (#"{"aps":{"badge":true}}"#, ["error wrong-type aps.badge"], "badge is true"),
        (#"{"aps":{"badge":-1}}"#, ["error badge-range aps.badge"], "badge is -1"),
        (#"{"aps":{"badge":null}}"#, ["warning null-value aps.badge"], "leave the key out"),
        (#"{"aps":{},"a":{"b":[1,null]}}"#, ["warning null-value a.b.[]"], "NSNull"),
        (#"{"aps":{"thread-id":7}}"#, ["error wrong-type aps.thread-id"], "write a string"),
        (#"{"aps":{"category":["x"]}}"#, ["error wrong-type aps.category"], "an array"),
        (#"{"aps":{"url-args":"x"}}"#, ["error wrong-type aps.url-args"], "array of strings"),
        (
            #"{"aps":{"url-args":["x",1]}}"#, ["error wrong-type aps.url-args"],
            "the number 1 among its elements"
        ),
        (#"{"aps":{"alert":5}}"#, ["error wrong-type aps.alert"], "a string, or an object"),
        (#"{"aps":{"alert":{"body":5}}}"#, ["error wrong-type aps.alert.body"], "write a string"),
        (
            #"{"aps":{"alert":{"body":"x","title":null}}}"#, ["warning null-value aps.alert.title"],
            "title is null"
        ),
        (#"{"aps":{"content-changed":1}}"#, ["warning wrong-type aps.content-changed"], "write true"),
        (#"{"aps":{"content-changed":"true"}}"#, ["error wrong-type aps.content-changed"], "write true"),
        (#"{"aps":{"content-changed":false}}"#, ["warning switch-off aps.content-changed"], "false"),
        // Values.
        (#"{"aps":{"alert":""}}"#, ["error empty-alert aps.alert"], "no text"),
        (#"{"aps":{"alert":{}}}"#, ["error empty-alert aps.alert"], "no text"),
        (#"{"aps":{"alert":{"title":"","launch-image":"x"}}}"#, ["error empty-alert aps.alert"], "no text"),
        (
            #"{"aps":{"alert":{"title":"x","loc-args":["a"]}}}"#,
            ["error arguments-without-key aps.alert.loc-args"], "add loc-key"
        ),
        (
            #"{"aps":{"alert":{"body":"x","title-loc-args":["a"],"loc-key":"k","subtitle-loc-args":[1]}}}"#,
            [
                "error wrong-type aps.alert.subtitle-loc-args",
                "error arguments-without-key aps.alert.title-loc-args",
                "error arguments-without-key aps.alert.subtitle-loc-args",
            ], "add title-loc-key"
        ),
        (
            #"{"aps":{"alert":{"loc-key":"k","loc-args":"a"}}}"#, ["error wrong-type aps.alert.loc-args"],
            "array of strings"
        ),
        (#"{"aps":{"sound":""}}"#, ["warning sound-shape aps.sound"], "plays nothing"),
        (#"{"aps":{"sound":1}}"#, ["error wrong-type aps.sound"], "a sound's name"),
        (
            #"{"aps":{"sound":{"volume":2}}}"#,
            [
                "error sound-shape aps.sound.critical", "error sound-shape aps.sound.name",
                "error volume-range aps.sound.volume",
            ], "critical is missing"
        ),
        (
            #"{"aps":{"sound":{"critical":true,"name":"x"}}}"#, ["error sound-shape aps.sound.critical"],
            "write the number 1"
        ),
        (
            #"{"aps":{"sound":{"critical":1,"name":"x","volume":-0.1}}}"#,
            ["error volume-range aps.sound.volume"], "0 to 1"
        ),
        (
            #"{"aps":{"sound":{"critical":1,"name":"x","volume":"1"}}}"#,
            ["error wrong-type aps.sound.volume"], "without quotation"
        ),
        (
            #"{"aps":{"sound":{"critical":1,"name":"x","loop":1}}}"#, ["warning unknown-key aps.sound.loop"],
            "remove it"
        ),
        (
            #"{"aps":{"interruption-level":"timeSensitive"}}"#,
            ["error interruption-level aps.interruption-level"], "write \"time-sensitive\""
        ),
        (
            #"{"aps":{"interruption-level":"high"}}"#, ["error interruption-level aps.interruption-level"],
            "one of passive"
        ),
        (#"{"aps":{"interruption-level":2}}"#, ["error wrong-type aps.interruption-level"], "write a string"),
        (#"{"aps":{"relevance-score":1.5}}"#, ["error relevance-range aps.relevance-score"], "from 0 to 1"),
        (
            #"{"aps":{"relevance-score":"1"}}"#, ["error wrong-type aps.relevance-score"],
            "without quotation marks"
        ),
        (
            #"{"aps":{"mutable-content":1,"badge":1}}"#,
            ["warning mutable-without-alert aps.mutable-content"], "add alert"
        ),
        (#"{"aps":{"input-push-channel":"?"}}"#, ["error channel-id aps.input-push-channel"], "base64"),
    ]

    @Test(arguments: wrong)
    func `a wrong payload has its findings`(json: String, findings: [String], text: String) {
        let found = Lint.payload(Array(json.utf8))
        #expect(found.map(summary) == findings)
        #expect(found.contains { $0.message.contains(text) }, "\(found)")
    }

    @Test func `bytes that are not UTF-8 are said to be so`() {
        let found = Lint.payload([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
        #expect(found.map(summary) == ["error encoding "])
        #expect(found.first?.message.contains("line 1, column 3") == true)
    }

    @Test func `deep nesting is refused without a crash`() {
        let found = Lint.payload(Array(repeating: 0x5b, count: 8000))
        #expect(found.map(summary) == ["error size ", "error json "])
        #expect(Lint.payload(Array(repeating: 0x5b, count: 1_000_000)).map(summary) == ["error size "])
    }

    @Test(arguments: [(PushType.alert, 4096), (.voip, 5120)])
    func `the size is counted in bytes by push type`(type: PushType, limit: Int) {
        let frame = #"{"aps":{"alert":""}}"#.utf8.count
        for excess in [0, 2] {
            let body = String(repeating: "é", count: (limit - frame) / 2 + excess / 2)
            let json = #"{"aps":{"alert":"\#(body)"}}"#
            let headers = LintHeaders(pushType: type.rawValue)
            let found = Lint.payload(Array(json.utf8), headers: headers)
            #expect(found.map(summary) == (excess == 0 ? [] : ["error size "]))
            if let message = found.first?.message {
                #expect(message.contains("\(limit + excess) bytes, \(excess) more than the \(limit)"))
                #expect(message.contains(type.rawValue))
            }
        }
    }

    @Test func `the size limit follows the topic when the push type is not known`() {
        let json = #"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#
        let headers = LintHeaders(topic: "com.example.app.voip")
        #expect(Lint.payload(Array(json.utf8), headers: headers).map(\.rule) == [.missingPushType])
    }

    @Test func `the number of findings is bounded`() {
        let keys = (0..<500).map { "\"k\($0)\":null" }.joined(separator: ",")
        #expect(Lint.payload(Array("{\(keys)}".utf8)).count == Lint.findingCountMax)
    }

    @Test func `a key cannot steer the terminal`() {
        let found = Lint.payload(Array(#"{"aps":{"\u001b[2J\u009b\u202e":1},"\u0007":{"\n":null}}"#.utf8))
        #expect(
            found.map(summary) == [
                "warning null-value \u{fffd}.\u{fffd}", "warning unknown-key aps.\u{fffd}[2J\u{fffd}\u{fffd}",
            ])
        let forbidden: Set<Unicode.Scalar> = ["\u{1b}", "\u{9b}", "\u{202e}", "\u{7}", "\n"]
        for finding in found { #expect(forbidden.isDisjoint(with: finding.description.unicodeScalars)) }
    }

    @Test func `a message does not carry control characters or long texts`() {
        let long = String(repeating: "x", count: 500)
        let found = Lint.payload(Array(#"{"aps":{"badge":"\u001b[31m\#(long)"}}"#.utf8))
        let message = found.first?.message ?? ""
        #expect(message.utf8.count < 200)
        #expect(!message.contains("\u{1b}"))
        #expect(message.contains("x…\""))
    }
}

/// A finding without its message.
func summary(_ finding: LintFinding) -> String {
    "\(finding.severity.rawValue) \(finding.rule.rawValue) \(finding.keyPath)"
}
