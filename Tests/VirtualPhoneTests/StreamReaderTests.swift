import Testing

@testable import VirtualPhone

@Suite struct StreamReaderTests {
    static let text =
        "id: 1\nevent: device\ndata: {}\n\n:alive\n\nid: 2\r\nevent: notification\r\ndata: a\r\ndata: b\r\n\r\ndata:x\n\n"
    static let events = [
        ServerSentEventReader.Event(id: "1", name: "device", data: Array("{}".utf8)),
        .init(id: "2", name: "notification", data: Array("a\nb".utf8)),
        .init(id: "2", name: "message", data: Array("x".utf8)),
    ]

    @Test func `events are the same wherever the text is cut`() {
        let bytes = Array(Self.text.utf8)
        for size in 1...bytes.count {
            var reader = ServerSentEventReader()
            var read: [ServerSentEventReader.Event] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                read += reader.read(Array(bytes[start..<min(start + size, bytes.count)])) ?? []
            }
            #expect(read == Self.events)
        }
    }

    @Test func `a line without an end ends the stream`() {
        var reader = ServerSentEventReader()
        let piece = [UInt8](repeating: 0x61, count: 1 << 16)
        var count = 0
        while reader.read(piece) != nil { count += 1 }
        #expect(count == 15 || count == 16)
    }
}
