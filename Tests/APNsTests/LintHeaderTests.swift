import Testing

@testable import APNs

@Suite struct LintHeaderTests {
    static let alert = #"{"aps":{"alert":"x"}}"#
    static let background = #"{"aps":{"content-available":1}}"#
    static let reload = #"{"aps":{"content-changed":true}}"#
    static let now: Int64 = 1_764_460_800

    static let right: [(headers: LintHeaders, json: String)] = [
        (LintHeaders(), alert),
        (LintHeaders(pushType: "alert", topic: "com.example.app", priority: "10", expiration: "0"), alert),
        (LintHeaders(pushType: "alert", expiration: "1764460801", collapseID: "c"), alert),
        (LintHeaders(pushType: "background", priority: "5"), background),
        (LintHeaders(pushType: "voip", topic: "com.example.app.voip"), #"{"call":1}"#),
        (LintHeaders(pushType: "mdm", topic: "com.apple.mgmt.External.x"), #"{"mdm":"magic"}"#),
        (LintHeaders(pushType: "widgets", topic: "a.b.push-type.widgets"), reload),
        (LintHeaders(pushType: "controls", topic: "a.b.push-type.controls", priority: "10"), reload),
        (LintHeaders(pushType: "pushtotalk", topic: "a.b.voip-ptt", priority: "10", expiration: "0"), "{}"),
        (LintHeaders(token: "00ff", pushType: "alert", id: "f4121b12-e0bf-3266-f079-d9253e98bf49"), alert),
        (LintHeaders(token: "00ff"), alert),
    ]

    @Test(arguments: right)
    func `correct headers have no findings`(headers: LintHeaders, json: String) {
        #expect(Lint.payload(Array(json.utf8), headers: headers, now: LintHeaderTests.now) == [])
    }

    static let wrong: [(headers: LintHeaders, json: String, findings: [String], text: String)] = [
        (LintHeaders(priority: "10"), alert, ["warning missing-push-type apns-push-type"], "watchOS"),
        (LintHeaders(pushType: "Alert"), alert, ["error push-type apns-push-type"], "write \"alert\""),
        (
            LintHeaders(pushType: "live-activity"), alert, ["error push-type apns-push-type"],
            "\"liveactivity\""
        ),
        (
            LintHeaders(pushType: "silent"), alert, ["error push-type apns-push-type"],
            "one of alert, background"
        ),
        (
            LintHeaders(pushType: "background", priority: "10"), background,
            ["error background-priority apns-priority"], "write 5"
        ),
        (
            LintHeaders(pushType: "background"), background, ["error background-priority apns-priority"],
            "is missing"
        ),
        (
            LintHeaders(pushType: "background", priority: "5"),
            #"{"aps":{"content-available":1,"alert":"x","badge":1,"sound":"s"}}"#,
            [
                "error background-visible aps.alert", "error background-visible aps.badge",
                "error background-visible aps.sound",
            ], "alert makes the notification visible"
        ),
        (
            LintHeaders(pushType: "background", priority: "5"), #"{"aps":{}}"#,
            ["error missing-part aps.content-available"], "add 1"
        ),
        (
            LintHeaders(pushType: "alert"), background, ["error invisible aps"],
            "type background with priority 5"
        ),
        (LintHeaders(pushType: "alert"), #"{"x":1}"#, ["error missing-aps aps"], "aps is missing"),
        (
            LintHeaders(pushType: "widgets"), #"{"aps":{}}"#, ["error content-changed aps.content-changed"],
            "add true"
        ),
        (
            LintHeaders(pushType: "controls"), #"{"aps":{}}"#, ["error content-changed aps.content-changed"],
            "add true"
        ),
        (
            LintHeaders(pushType: "alert"), #"{"aps":{"alert":"x","content-changed":true}}"#,
            ["warning push-type-mismatch aps.content-changed"], "widgets or controls"
        ),
        (
            LintHeaders(pushType: "alert", priority: "7"), alert, ["error priority apns-priority"],
            "10, 5 or 1"
        ),
        (
            LintHeaders(pushType: "alert", priority: "+5"), alert, ["error priority apns-priority"],
            "10, 5 or 1"
        ),
        (
            LintHeaders(pushType: "alert", priority: "high"), alert, ["error priority apns-priority"],
            "\"high\""
        ),
        (
            LintHeaders(pushType: "pushtotalk", priority: "5"), "{}", ["warning priority apns-priority"],
            "Push to Talk"
        ),
        (LintHeaders(pushType: "alert", topic: "a b"), alert, ["error topic apns-topic"], "letters, digits"),
        (
            LintHeaders(pushType: "voip", topic: "com.example.app"), "{}", ["error topic-suffix apns-topic"],
            "write \"com.example.app.voip\""
        ),
        (
            LintHeaders(pushType: "controls", topic: "a.b.push-type.widgets"), reload,
            ["error topic-suffix apns-topic"], "write \"a.b.push-type.controls\""
        ),
        (
            LintHeaders(pushType: "alert", topic: "com.example.app.voip"), alert,
            ["error topic-suffix apns-topic"], "has no suffix: write \"com.example.app\""
        ),
        (
            LintHeaders(pushType: "alert", expiration: "300"), alert,
            ["error relative-expiration apns-expiration"], "current time plus 300, now 1764461100"
        ),
        (
            LintHeaders(pushType: "alert", expiration: "soon"), alert, ["error expiration apns-expiration"],
            "seconds since 1970"
        ),
        (
            LintHeaders(pushType: "alert", expiration: "-1"), alert, ["error expiration apns-expiration"],
            "\"-1\""
        ),
        (
            LintHeaders(pushType: "alert", expiration: "1.5e9"), alert, ["error expiration apns-expiration"],
            "whole"
        ),
        (
            LintHeaders(pushType: "alert", expiration: "1764460800000"), alert,
            ["error expiration apns-expiration"], "write seconds, 1764460800"
        ),
        (
            LintHeaders(pushType: "alert", expiration: "1764460800"), alert,
            ["error expired apns-expiration"], "0 seconds ago"
        ),
        (
            LintHeaders(pushType: "alert", expiration: "1767052801"), alert,
            ["warning distant-expiration apns-expiration"], "30 days"
        ),
        (
            LintHeaders(pushType: "alert", collapseID: String(repeating: "é", count: 33)), alert,
            ["error collapse-id apns-collapse-id"], "at most 64 bytes of UTF-8, not 66"
        ),
        (LintHeaders(pushType: "alert", id: "x"), alert, ["error notification-id apns-id"], "UUID"),
        (LintHeaders(token: "<00ff 00ff>"), alert, ["error token :path"], "printed Data value"),
        (LintHeaders(token: "q83vAQ=="), alert, ["error token :path"], "base64"),
        (LintHeaders(token: "abc"), alert, ["error token :path"], "even number"),
    ]

    @Test(arguments: wrong)
    func `wrong headers have their findings`(
        headers: LintHeaders, json: String, findings: [String], text: String
    ) {
        let found = Lint.payload(Array(json.utf8), headers: headers, now: LintHeaderTests.now)
        #expect(found.map(summary) == findings)
        #expect(found.contains { $0.message.contains(text) }, "\(found)")
    }

    @Test func `without a clock nothing is expired`() {
        let headers = LintHeaders(pushType: "alert", expiration: "1000000000")
        #expect(Lint.payload(Array(LintHeaderTests.alert.utf8), headers: headers) == [])
    }

    @Test func `a notification is examined with its headers`() throws {
        let notification = Notification(
            token: try DeviceToken(hex: "00ff"), topic: try Topic("com.example.app"),
            payload: Array(LintHeaderTests.background.utf8), pushType: .background, priority: .high,
            expiration: .at(secondsSince1970: 300), collapseID: try CollapseID("c"),
            id: NotificationID(high: 1, low: 2))
        #expect(
            Lint.notification(notification).map(\.rule) == [.backgroundPriority, .relativeExpiration])
        #expect(
            Lint.notification(notification).first?.description.hasPrefix("error: apns-priority: ") == true)
    }

    @Test func `every rule has a name of its own in lower case`() {
        #expect(Set(LintRule.allCases.map(\.rawValue)).count == LintRule.allCases.count)
        for rule in LintRule.allCases {
            #expect(rule.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
        }
    }
}
