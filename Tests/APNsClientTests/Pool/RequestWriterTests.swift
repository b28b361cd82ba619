import APNs
import Testing

@testable import APNsClient
@testable import Transport

struct RequestWriterTests {
    private static func notifications() throws -> [Notification] {
        let app = try Topic("com.example.App")
        let other = try Topic("com.example.Other")
        let short = try DeviceToken(hex: "00aa")
        let usual = try DeviceToken(hex: String(repeating: "b1", count: 32))
        let long = try DeviceToken(hex: String(repeating: "c2", count: 80))
        let collapse = try CollapseID("news")
        let id = NotificationID(high: 1, low: 2)
        var all: [Notification] = []
        for token in [usual, short, long] {
            for topic in [app, other] {
                all += [
                    Notification(token: token, topic: topic, payload: [1]),
                    Notification(token: token, topic: topic, payload: [1], pushType: .background),
                    Notification(token: token, topic: topic, payload: [1], priority: .low),
                    Notification(token: token, topic: topic, payload: [1], expiration: .never),
                    Notification(
                        token: token, topic: topic, payload: [1], expiration: .at(secondsSince1970: 99)),
                    Notification(token: token, topic: topic, payload: [1], collapseID: collapse),
                    Notification(token: token, topic: topic, payload: [1], id: id),
                ]
            }
        }
        return all
    }

    private static func fields(
        _ notification: Notification, _ authorization: [UInt8], by writer: inout RequestWriter
    ) -> [String] {
        var list: [String] = []
        writer.write(notification, authorization: authorization) { fields in
            fields.forEach { name, value in
                list.append(
                    "\(String(decoding: name, as: UTF8.self)): \(String(decoding: value, as: UTF8.self))")
            }
        }
        return list
    }

    /// A writer keeps what two notifications share; every pair must come out as from a new one.
    @Test func `what was written before shows in nothing`() throws {
        let all = try Self.notifications()
        let authorizations: [[UInt8]] = [Array("bearer one".utf8), Array("bearer two".utf8), []]
        for first in all {
            for (index, second) in all.enumerated() {
                var used = RequestWriter(authority: "localhost:2197")
                _ = Self.fields(first, authorizations[0], by: &used)
                var new = RequestWriter(authority: "localhost:2197")
                let authorization = authorizations[index % 5 == 0 ? 1 + index % 2 : 0]
                #expect(
                    Self.fields(second, authorization, by: &used)
                        == Self.fields(second, authorization, by: &new))
            }
        }
    }

    @Test func `pseudo-header fields come first and the token is in the path`() throws {
        var writer = RequestWriter(authority: "localhost:2197")
        let first = try #require(try Self.notifications().first)
        for _ in 0..<2 {
            #expect(
                Self.fields(first, Array("bearer x".utf8), by: &writer) == [
                    ":method: POST", ":scheme: https", ":authority: localhost:2197",
                    ":path: /3/device/" + String(repeating: "b1", count: 32), "authorization: bearer x",
                    "apns-topic: com.example.App", "apns-push-type: alert",
                ])
        }
    }
}
