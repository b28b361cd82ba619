import Testing

@testable import Transport

/// Peers that send what costs much and brings nothing, straight into a server's session.
struct HTTP2FloodTests {
    /// A server session behind the preface, that answers every request at once.
    private final class Victim {
        let session: HTTP2Session
        var answered = 0
        var sent: [UInt8] = []
        var next: UInt32 = 1

        init(_ settings: HTTP2Settings = HTTP2Settings(maxConcurrentStreams: 100)) throws {
            session = try HTTP2Session(role: .server, settings: settings, nowMilliseconds: 0)
            try feed(RawFrames.preface + RawFrames.frame(.settings))
            try feed(RawFrames.frame(.settings, flags: RawFrames.acknowledged))
        }

        /// As a connection does: one read, then events, then what is to be sent.
        func feed(_ bytes: [UInt8]) throws {
            try bytes.withUnsafeBytes { try session.receive($0) }
            let events = session.takeEvents()
            for stream in events.streams where !stream.isClosed {
                SessionPair.echo(stream, session)
                answered += 1
            }
            session.recycle(events)
            sent += try SessionPair.output(of: session)
        }

        func ask(_ extra: [UInt8] = []) throws {
            try feed(RawFrames.request(next) + extra)
            next += 2
        }
    }

    @Test func `a thousand requests reset before their answer pass and the next is a flood`() throws {
        let victim = try Victim()
        for _ in 0..<1000 { try victim.ask(RawFrames.reset(victim.next)) }
        #expect(!victim.session.isFlooded)
        try victim.ask(RawFrames.reset(victim.next))
        #expect(victim.session.isFlooded)
    }

    @Test func `resets at the allowed rate are never a flood`() throws {
        let victim = try Victim()
        for second in 0..<200 {
            victim.session.nowMilliseconds = UInt64(second) * 1000
            for _ in 0..<33 { try victim.ask(RawFrames.reset(victim.next)) }
        }
        #expect(!victim.session.isFlooded)
    }

    @Test func `resets after the whole answer are no flood however many`() throws {
        let victim = try Victim()
        for number in 0..<100_000 {
            let stream = victim.next
            try victim.ask()
            if number % 50 == 0 { try victim.feed(RawFrames.reset(stream)) }
            victim.sent.removeAll(keepingCapacity: true)
        }
        #expect(victim.answered == 100_000)
        #expect(!victim.session.isFlooded)
    }

    static let idle: [(String, [UInt8])] = [
        ("empty SETTINGS", RawFrames.frame(.settings)),
        ("PING", RawFrames.frame(.ping, Array(repeating: 0, count: 8))),
        (
            "PING acknowledgements",
            RawFrames.frame(.ping, flags: RawFrames.acknowledged, Array(repeating: 0, count: 8))
        ),
        ("PRIORITY", RawFrames.frame(.priority, stream: 1, [0, 0, 0, 0, 9])),
        ("WINDOW_UPDATE", RawFrames.frame(.windowUpdate, RawFrames.number(1))),
    ]

    @Test(arguments: 0..<5)
    func `frames that carry nothing are a flood beyond the limit`(kind: Int) throws {
        let settings = HTTP2Settings(maxConcurrentStreams: 100, idleFrameBurst: 500, idleFramesPerSecond: 0)
        let victim = try Victim(settings)
        // The preface took two.
        for number in 0..<498 where !victim.session.isFlooded {
            _ = number
            do { try victim.feed(Self.idle[kind].1) } catch { break }
        }
        #expect(!victim.session.isFlooded)
        var isEnded = false
        for _ in 0..<2 where !isEnded {
            do { try victim.feed(Self.idle[kind].1) } catch { isEnded = true }
        }
        #expect(victim.session.isFlooded || isEnded)
    }

    @Test func `acknowledging SETTINGS that were not sent ends the session`() throws {
        let victim = try Victim()
        try victim.feed(RawFrames.frame(.settings, flags: RawFrames.acknowledged))
        #expect(RawFrames.parse(victim.sent).last?.kind == RawFrames.Kind.goAway.rawValue)
        #expect(victim.session.isOver)
    }

    @Test func `frames of no known kind are skipped and answered with nothing`() throws {
        let victim = try Victim()
        let before = victim.sent.count
        for _ in 0..<20_000 { try victim.feed(RawFrames.frame(.unknown, [1, 2, 3])) }
        #expect(victim.sent.count == before)
        try victim.ask()
        #expect(victim.answered == 1)
    }

    @Test func `empty DATA frames are a flood, and do not wait for the end of the request`() throws {
        let settings = HTTP2Settings(maxConcurrentStreams: 100, idleFrameBurst: 500, idleFramesPerSecond: 0)
        let victim = try Victim(settings)
        try victim.feed(RawFrames.request(1, ends: false))
        for _ in 0..<497 { try victim.feed(RawFrames.frame(.data, stream: 1)) }
        #expect(!victim.session.isFlooded)
        try victim.feed(RawFrames.frame(.data, stream: 1))
        #expect(victim.session.isFlooded)
    }

    @Test func `a client that pings and widens windows with each answer is no flood`() throws {
        let settings = HTTP2Settings(maxConcurrentStreams: 100, idleFrameBurst: 100, idleFramesPerSecond: 0)
        let victim = try Victim(settings)
        for _ in 0..<10_000 {
            try victim.ask(
                RawFrames.frame(.windowUpdate, RawFrames.number(1))
                    + RawFrames.frame(.windowUpdate, RawFrames.number(1))
                    + RawFrames.frame(.ping, Array(repeating: 0, count: 8)))
        }
        #expect(!victim.session.isFlooded)
        #expect(victim.answered == 10_000)
    }

    @Test func `thousands of pings in one read are a flood`() throws {
        let victim = try Victim()
        let ping = RawFrames.frame(.ping, Array(repeating: 0, count: 8))
        try victim.feed(Array(repeatElement(ping, count: 7000).joined()))
        #expect(victim.session.isFlooded)
    }

    @Test func `header blocks without end are a flood`() throws {
        let victim = try Victim()
        let more = RawFrames.frame(.continuation, stream: 1, Array(repeating: 0x83, count: 10))
        var bytes = RawFrames.frame(.headers, flags: RawFrames.endStream, stream: 1, RawFrames.requestBlock)
        for _ in 0..<1000 { bytes += more }
        var isEnded = false
        do { try victim.feed(bytes) } catch { isEnded = true }
        let goAway = RawFrames.parse(victim.sent).contains { $0.kind == RawFrames.Kind.goAway.rawValue }
        #expect(isEnded || goAway || victim.session.isFlooded)
    }

    @Test func `a table entry named again and again is counted and not kept`() throws {
        // 4,000 bytes into the table once, then one byte for each use: 15 MB of fields in 4 KB.
        let victim = try Victim()
        let name = RawFrames.string(Array("bomb".utf8))
        let entry: [UInt8] = [0x40] + name + RawFrames.string(Array(repeating: 0x62, count: 3900))
        let block = RawFrames.requestBlock + entry + Array(repeating: 0xbe, count: 4000)
        var fields = 0
        try RawFrames.request(1, block: block).withUnsafeBytes { try victim.session.receive($0) }
        let events = victim.session.takeEvents()
        for stream in events.streams {
            fields = stream.fields.listByteCount
            #expect(stream.isOversized)
        }
        #expect(events.streams.count == 1)
        #expect(fields <= 8000)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "\u{0}\u{0}\u{0}",
    ])
    func `what is no preface is an error`(text: String) throws {
        let session = try HTTP2Session(role: .server, settings: HTTP2Settings(), nowMilliseconds: 0)
        #expect(throws: TransportError.self) {
            try Array(text.utf8).withUnsafeBytes { try session.receive($0) }
        }
    }

    @Test func `a reset in the middle of a header block leaves no fields to the next request`() throws {
        let victim = try Victim()
        let rest = RawFrames.literal("x-secret", Array("left over".utf8))
        try victim.feed(
            RawFrames.frame(.headers, flags: RawFrames.endStream, stream: 1, RawFrames.requestBlock))
        let slow = try #require(victim.session.open.first)
        victim.session.reset(slow, errorCode: .cancel)
        victim.session.recycle(victim.session.takeEvents())
        _ = try SessionPair.output(of: victim.session)
        victim.session.recycle(victim.session.takeEvents())
        try RawFrames.frame(.continuation, flags: RawFrames.endHeaders, stream: 1, rest)
            .withUnsafeBytes { try victim.session.receive($0) }
        victim.session.recycle(victim.session.takeEvents())
        try RawFrames.request(3).withUnsafeBytes { try victim.session.receive($0) }
        let events = victim.session.takeEvents()
        #expect(events.streams.map(\.id) == [3])
        #expect(events.streams.first?.fields.first(named: "x-secret") == nil)
        #expect(events.streams.first?.fields.count == 4)
    }
}
