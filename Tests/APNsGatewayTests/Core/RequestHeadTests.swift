import Testing

@testable import APNsGateway

struct RequestHeadTests {
    @Test func `every header that matters is found in one pass`() {
        let values: [(RequestField, String, String)] = [
            (.path, ":path", "/3/device/aa"), (.authorization, "authorization", "bearer x"),
            (.id, "apns-id", "1"), (.expiration, "apns-expiration", "2"), (.priority, "apns-priority", "3"),
            (.topic, "apns-topic", "4"), (.collapseID, "apns-collapse-id", "5"),
            (.pushType, "apns-push-type", "6"), (.channelID, "apns-channel-id", "7"),
            (.requestID, "apns-request-id", "8"),
        ]
        let list = FieldList([(":method", "POST")] + values.map { ($0.1, $0.2) })
        let head = RequestHead(list)
        withExtendedLifetime(list) {
            #expect(head.method == .post)
            let slices = [
                head.path, head.authorization, head.id, head.expiration, head.priority, head.topic,
                head.collapseID, head.pushType, head.channelID, head.requestID,
            ]
            for (slice, value) in zip(slices, values) {
                #expect(String(decoding: slice, as: UTF8.self) == value.2)
                #expect(head.has(value.0))
            }
            #expect(!head.has(.host))
            #expect(!head.repeatsKnownHeader)
            #expect(!head.repeatsUnknownHeader)
        }
    }

    @Test(arguments: [
        "host", ":path", "accept", "cookie", "apns-id", ":method", ":scheme", "apns-topic", ":authority",
        "user-agent", "content-type", "authorization", "apns-priority", "apns-push-type", "content-length",
        "apns-expiration", "accept-encoding", "apns-channel-id", "apns-request-id", "apns-collapse-id",
    ])
    func `a name is recognised whole only`(name: String) {
        withBytes(name) { #expect(RequestField(name: $0) != nil) }
        withBytes(name + "x") { #expect(RequestField(name: $0) == nil) }
        withBytes(String(name.dropLast())) { #expect(RequestField(name: $0) == nil) }
        let damaged = String(name.dropLast()) + "_"
        withBytes(damaged) { #expect(RequestField(name: $0) == nil) }
        withBytes(name.uppercased()) { #expect(RequestField(name: $0) == nil) }
    }

    @Test(arguments: [
        ("POST", RequestHead.Method.post), ("GET", .get), ("DELETE", .delete), ("PUT", .other),
        ("post", .other), ("", .other), ("POSTS", .other),
    ])
    func `methods are told apart by exact text`(text: String, method: RequestHead.Method) {
        let list = FieldList([(":method", text)])
        #expect(RequestHead(list).method == method)
        withExtendedLifetime(list) {}
    }

    @Test func `of a repeated header the first value stays`() {
        let list = FieldList([("apns-topic", "one"), ("apns-topic", "two")])
        let head = RequestHead(list)
        withExtendedLifetime(list) {
            #expect(head.repeatsKnownHeader)
            #expect(!head.repeatsUnknownHeader)
            #expect(String(decoding: head.topic, as: UTF8.self) == "one")
        }
    }

    @Test func `an unknown header counts as repeated among eight others`() {
        let names = (0..<7).map { ("x-\($0)", "1") }
        let list = FieldList(names + [("x-again", "1"), ("x-again", "2")])
        #expect(RequestHead(list).repeatsUnknownHeader)
        let distinct = FieldList((0..<40).map { ("x-\($0)", "1") })
        #expect(!RequestHead(distinct).repeatsUnknownHeader)
        withExtendedLifetime((list, distinct)) {}
    }

    @Test func `cookies may come in pieces`() {
        let list = FieldList([("cookie", "a=1"), ("cookie", "b=2")])
        let head = RequestHead(list)
        #expect(!head.repeatsKnownHeader)
        #expect(!head.repeatsUnknownHeader)
        withExtendedLifetime(list) {}
    }
}
