import BelfryKit
import Foundation
import Recurrence
import Testing

struct ReceivedNotificationTests {
    private static let date = Instant(secondsSince1970: 0)

    @Test(arguments: [
        ("", "Ann: hello", "Ann", "hello"), ("", "小明：你好", "小明", "你好"),
        ("", " Ann :  hi: there ", "Ann", "hi: there"),
        ("Ann", "hello: you", "Ann", "hello: you"), ("", "Ann (3): 12:30?", "Ann (3)", "12:30?"),
    ])
    func `a chat message names who wrote`(title: String, body: String, sender: String, text: String) {
        #expect(ChatMessage(title: title, body: body) == ChatMessage(sender: sender, text: text))
    }

    @Test(arguments: [
        "", "hello", "https://example.org", "at 09:30 we meet", ": hello", "Ann:", "Ann: ",
        "This is a long sentence that goes on and on and on: and ends", "two\nlines: x",
    ])
    func `what names nobody is no chat message`(body: String) {
        #expect(ChatMessage(title: "", body: body) == nil)
    }

    @Test(arguments: [
        (["url": "https://example.org/a?b=1"] as [String: PayloadValue], "https://example.org/a?b=1"),
        (["deep_link": "app:item/7", "note": "x"], "app:item/7"), (["link": " app:x "], "app:x"),
        (["url": "no address", "uri": "app:y"], "app:y"),
    ])
    func `a link is found where payloads have it`(payload: [String: PayloadValue], link: String) {
        let note = ReceivedNotification(payload: payload, date: Self.date)
        #expect(note.link?.absoluteString == link)
    }

    @Test(
        arguments: [
            [:], ["url": 7], ["url": ""], ["url": "/path"], ["url": ["a": "b"]],
            ["other": "https://example.org"],
        ] as [[String: PayloadValue]])
    func `what is no link is none`(payload: [String: PayloadValue]) {
        #expect(ReceivedNotification(payload: payload, date: Self.date).link == nil)
    }

    @Test func `a payload names its push, and otherwise the collapse id does`() {
        let named = ReceivedNotification(
            identifier: "x y", source: .remote, date: Self.date, payload: ["notificationId": "n1"])
        #expect(named.pushID == "n1")
        func pushID(_ identifier: String, _ source: ReceivedNotification.Source) -> String? {
            ReceivedNotification(identifier: identifier, source: source, date: Self.date).pushID
        }
        #expect(pushID("AAAAbbbbCCCC0001", .remote) == "AAAAbbbbCCCC0001")
        #expect(pushID("AAAAbbbbCCCC0001", .local) == nil)
        #expect(pushID("8B6B1C0E-3C5B-4B43-A4F2-3D2E59A0C001", .remote) == nil)
        #expect(pushID("", .remote) == nil)
    }

    @Test func `an alert is a text or has parts`() {
        let text = ReceivedNotification(payload: ["aps": ["alert": "hi", "badge": 3]], date: Self.date)
        #expect(text.body == "hi")
        #expect(text.badge == 3)
        let parts = ReceivedNotification(
            payload: ["aps": ["alert": ["title": "T", "subtitle": "S", "body": "B"], "category": "c"]],
            date: Self.date)
        #expect([parts.title, parts.subtitle, parts.body, parts.category] == ["T", "S", "B", "c"])
        #expect(ReceivedNotification(payload: ["aps": 7], date: Self.date).body == "")
    }

    @Test func `what Foundation holds keeps its kind`() {
        #expect(PayloadValue(true) == .bool(true))
        #expect(PayloadValue(1) == .integer(1))
        #expect(PayloadValue(NSNumber(value: true)) == .bool(true))
        #expect(PayloadValue(NSNumber(value: 1)) == .integer(1))
        #expect(PayloadValue(1.5) == .number(1.5))
        #expect(PayloadValue(NSNull()) == .null)
        #expect(PayloadValue(["a": [1, "b"] as [Any]]) == ["a": [1, "b"]])
        #expect(PayloadValue(Double.nan) == nil)
        #expect(PayloadValue(Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00.000Z")
        #expect(PayloadValue(UInt64.max) == nil)
        #expect(PayloadValue(ReceivedNotificationTests.self) == nil)
        var deep: [Any] = []
        for _ in 0..<100 { deep = [deep] }
        #expect(PayloadValue(deep) == nil)
    }

    @Test func `values go through JSON unchanged`() throws {
        let value: PayloadValue = [
            "a": [1, -7, 1.5, "x", true, nil], "b": ["c": []], "big": .integer(.max),
            "e": .string("é \u{1F514}"),
        ]
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(PayloadValue.self, from: data) == value)
        let object = try JSONSerialization.jsonObject(with: data)
        #expect(PayloadValue(object) == value)
    }
}
