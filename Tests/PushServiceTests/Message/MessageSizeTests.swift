import APNs
import PushStore
import Testing

@testable import PushService

@Suite struct MessageSizeTests {
    /// A message of which the payload has so many bytes.
    private func data(byteCount: Int, extra: String = "") -> String {
        let frame = extra.isEmpty ? #"{"aps":{"alert":""}}"#.utf8.count : #"{"aps":{"alert":""}}"#.utf8.count
        return #"{"alert":"\#(String(repeating: "x", count: byteCount - frame))"\#(extra)}"#
    }

    @Test(arguments: [("", 4096), (#","apns-push-type":"voip""#, 5120)])
    func `the limit is APNs' for the push type, to the byte`(extra: String, limit: Int) throws {
        #expect(try MessageFixture.payload(data(byteCount: limit, extra: extra)).utf8.count == limit)
        let refusal = try #require(try MessageFixture.refusal(data(byteCount: limit + 1, extra: extra)))
        #expect(refusal.code == 116)
        #expect(refusal.message.contains("\(limit + 1)") && refusal.message.contains("\(limit)"))
    }

    @Test func `a language that is too large is named when the push is asked for`() throws {
        let text = String(repeating: "字", count: 1_400)
        let refusal = try #require(try MessageFixture.refusal(#"{"alert":"x","alert-zh_CN":"\#(text)"}"#))
        #expect(refusal.code == 116)
        #expect(refusal.message.contains("zh-Hans-CN"))
    }

    @Test func `bytes of UTF-8 are counted, and no character is escaped to six`() throws {
        // 1,358 characters of three bytes: 4,094 bytes with the frame, three times as many when escaped.
        let text = String(repeating: "好", count: 1_358)
        #expect(try MessageFixture.payload(#"{"alert":"\#(text)"}"#).utf8.count == 4_094)
    }

    @Test(arguments: ["👨‍👩‍👧‍👦", "e\u{301}", "🇩🇪", "好"])
    func `one device's text is cut between characters as readers see them`(character: String) throws {
        let long = String(repeating: character, count: 2_000)
        let composed = try MessageFixture.composed(
            #"{"alert":{"title":"T","body":"{{story}}"},"mine":1}"#,
            MessageFixture.device(["story": .string(long)]))
        #expect(composed.payload.count <= 4_096)
        #expect(composed.payload.count > 4_096 - 40)
        let value = try JSONValue(parsing: composed.payload)
        guard case .string(let body)? = value["aps"]?["alert"]?["body"] else {
            Issue.record("no body")
            return
        }
        #expect(body.last == "…")
        #expect(body.dropLast().allSatisfy { String($0) == character })
        #expect(value["mine"] == 1)
    }

    @Test func `what no cut makes fit is that device's alone`() throws {
        var composer = try MessageFixture.composer(#"{"alert":"x","mine":"{{story}}"}"#)
        let long = MessageFixture.device(["story": .string(String(repeating: "x", count: 5_000))])
        #expect(composer.compose(for: long, badge: 0) == .tooLarge(byteCount: 5_031))
        guard case .composed = composer.compose(for: MessageFixture.device(), badge: 0) else {
            Issue.record("the next device is not concerned")
            return
        }
    }

    @Test func `a badge with many digits never makes a payload too large`() throws {
        let text = String(repeating: "x", count: 4_096 - #"{"aps":{"alert":"","badge":0}}"#.utf8.count)
        let composed = try MessageFixture.composed(
            #"{"alert":"\#(text)","badge":"Increment"}"#, badge: 12_345)
        #expect(composed.payload.count <= 4_096)
        let value = try JSONValue(parsing: composed.payload)
        #expect(value["aps"]?["badge"] == 12_345)
    }
}
