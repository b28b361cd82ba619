import Testing

@testable import Transport

struct EventQueueTests {
    /// Pulls with a buffer of a size.
    private static func pull(_ queue: inout EventQueue, _ size: Int) -> (EventQueue.Pull, String) {
        var bytes = [UInt8](repeating: 0, count: size)
        let pull = bytes.withUnsafeMutableBytes { queue.pull(into: $0) }
        guard case .bytes(let count) = pull else { return (pull, "") }
        return (pull, String(decoding: bytes[..<count], as: UTF8.self))
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `bytes come out in order whatever the buffer`(size: Int) {
        var queue = EventQueue(eventCountMax: 1000, byteCountMax: 100_000)
        var expected = ":\n\n"
        var received = ""
        for round in 0..<200 {
            let event = String(repeating: "\(round % 10)", count: round % 13 + 1)
            #expect(queue.add(event: Array(event.utf8)) == true)
            expected += event
            if round % 3 == 0 { received += Self.pull(&queue, size).1 }
        }
        while case (.bytes, let text) = Self.pull(&queue, size) { received += text }
        #expect(received == expected)
        #expect(Self.pull(&queue, size).0 == .wait)
    }

    @Test func `room is counted until the last byte is out`() {
        var queue = EventQueue(eventCountMax: 2, byteCountMax: 10)
        #expect(Self.pull(&queue, 10).1 == ":\n\n")
        #expect(queue.add(event: Array("12345".utf8)) == true)
        #expect(queue.add(event: Array("67890".utf8)) == true)
        #expect(queue.add(event: []) == false)
        #expect(Self.pull(&queue, 4).1 == "1234")
        #expect(queue.add(event: []) == false)
        #expect(Self.pull(&queue, 1).1 == "5")
        #expect(queue.add(event: Array("123456".utf8)) == false)
        #expect(queue.add(event: Array("abcde".utf8)) == true)
        #expect(Self.pull(&queue, 100).1 == "67890abcde")
        #expect(queue.isEmpty)
    }

    @Test func `an ended queue is read to its end`() {
        var queue = EventQueue(eventCountMax: 2, byteCountMax: 10)
        #expect(queue.add(event: Array("a".utf8)) == true)
        queue.end()
        #expect(!queue.isOpen)
        #expect(queue.add(event: Array("b".utf8)) == false)
        #expect(queue.add(comment: Array("c".utf8)) == false)
        #expect(Self.pull(&queue, 10).1 == ":\n\na")
        #expect(Self.pull(&queue, 10).0 == .end)
        #expect(Self.pull(&queue, 10).0 == .end)
    }

    @Test func `a cut queue has nothing, even after its end`() {
        var queue = EventQueue(eventCountMax: 2, byteCountMax: 10)
        #expect(queue.add(event: Array("a".utf8)) == true)
        queue.end()
        queue.cut()
        #expect(Self.pull(&queue, 10).0 == .cut)
        queue.end()
        #expect(Self.pull(&queue, 10).0 == .cut)
        #expect(queue.add(event: Array("b".utf8)) == false)
    }

    @Test func `a comment is for an empty queue`() {
        var queue = EventQueue(eventCountMax: 1, byteCountMax: 10)
        #expect(queue.add(comment: Array("c".utf8)) == false)
        _ = Self.pull(&queue, 10)
        #expect(queue.add(comment: Array("c".utf8)) == true)
        #expect(queue.add(comment: Array("d".utf8)) == false)
        // It does not take an event's place.
        #expect(queue.add(event: Array("e".utf8)) == true)
        #expect(Self.pull(&queue, 10).1 == "ce")
    }
}

struct ServerSentEventTests {
    @Test(arguments: [
        (ServerSentEvent(data: "a"), "data: a\n\n"),
        (ServerSentEvent(data: ""), "data: \n\n"),
        (
            ServerSentEvent(id: "1", name: "n", data: "a", retry: .milliseconds(1500)),
            "id: 1\nevent: n\nretry: 1500\ndata: a\n\n"
        ),
        (ServerSentEvent(data: "a\nb\r\nc\rd\n"), "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n"),
        (ServerSentEvent(data: "\n\n"), "data: \ndata: \ndata: \n\n"),
        (ServerSentEvent(data: "\r\r\n"), "data: \ndata: \ndata: \n\n"),
        (
            ServerSentEvent(id: "1\n\ndata: forged", name: "a\rb\0c", data: " x"),
            "id: 1data: forged\nevent: abc\ndata:  x\n\n"
        ),
        (ServerSentEvent(id: "", data: "你好"), "id: \ndata: 你好\n\n"),
    ])
    func `an event is written as its format wants`(event: ServerSentEvent, expected: String) {
        #expect(String(decoding: event.encoded, as: UTF8.self) == expected)
    }
}

struct HTTPHeadersTests {
    @Test func `names are found in any case and joined`() {
        var headers: HTTPHeaders = ["X-A": "1", "Cookie": "a"]
        headers.append(name: "x-a", value: "2")
        headers.append(name: "COOKIE", value: "b")
        headers.append(name: "X-B", value: "")
        #expect(headers.first(named: "X-a") == "1, 2")
        #expect(headers.first(named: "cookie") == "a; b")
        #expect(headers.first(named: "x-b") == "")
        #expect(headers.first(named: "x-c") == nil)
        #expect(headers.first(named: "x-") == nil)
        #expect(headers.map(\.name) == ["X-A", "Cookie", "X-B"])
        // Letters have a case, other bytes that differ in the same bit do not.
        #expect(!"X-[".isSameHeaderName(as: "x-{"))
    }
}
