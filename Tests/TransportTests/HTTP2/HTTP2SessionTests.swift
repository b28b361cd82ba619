import Testing

@testable import Transport

struct HTTP2SessionTests {
    @Test(arguments: SessionPair.Cut.allCases)
    func `requests and answers survive however the bytes are cut`(cut: SessionPair.Cut) throws {
        let pair = try SessionPair(cut: cut)
        for tag in 0..<50 { pair.request(tag, body: Array("body \(tag)".utf8)) }
        try pair.pump()
        #expect(pair.answers.count == 50)
        for tag in 0..<50 {
            #expect(
                pair.answers[tag]
                    == .init(status: "200", body: Array("body \(tag)".utf8), errorCode: .noError))
        }
        #expect(pair.client.open.isEmpty)
        #expect(pair.server.open.isEmpty)
    }

    @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 65_535, 65_536, 300_000])
    func `bodies around frame and window sizes come back whole`(count: Int) throws {
        let settings = HTTP2Settings(bodyByteCountMax: 1 << 20)
        let pair = try SessionPair(client: settings, server: settings)
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        pair.request(1, body: body)
        try pair.pump()
        #expect(pair.answers[1]?.body == body)
        #expect(pair.client.queuedBodyByteCount == 0)
        #expect(pair.server.queuedBodyByteCount == 0)
    }

    @Test(arguments: [15, 16, 17])
    func `of a body above the limit the rest is counted and dropped`(count: Int) throws {
        let pair = try SessionPair(server: HTTP2Settings(bodyByteCountMax: 16))
        var counted = 0
        pair.serve = { session, events in
            for stream in events.streams {
                counted = stream.bodyByteCount
                SessionPair.echo(stream, session)
            }
        }
        pair.request(1, body: Array(repeating: 7, count: count))
        try pair.pump()
        #expect(counted == count)
        #expect(pair.answers[1]?.body.count == min(count, 16))
    }

    @Test(arguments: [(1000, HTTP2ErrorCode.noError), (1001, .enhanceYourCalm)])
    func `a body above the cut-off is reset and the connection goes on`(
        count: Int, expected: HTTP2ErrorCode
    ) throws {
        let pair = try SessionPair(server: HTTP2Settings(bodyByteCountMax: 10, bodyByteCountCutOff: 1000))
        pair.request(1, body: Array(repeating: 1, count: count))
        try pair.pump()
        pair.request(2, body: [2])
        try pair.pump()
        #expect(pair.answers[1]?.errorCode == expected)
        #expect(pair.answers[2]?.status == "200")
    }

    @Test func `a header list of exactly the limit is kept and a byte more marks the request`() throws {
        // ":method POST" and so on take what the empty list says.
        let fixed = SessionPair.requestFields(path: "/1").listByteCount
        let limit = 8000
        for (excess, expected) in [(0, false), (1, true)] {
            let pair = try SessionPair(server: HTTP2Settings(headerListByteCountMax: limit))
            var isOversized: [Bool] = []
            pair.serve = { session, events in
                for stream in events.streams {
                    isOversized.append(stream.isOversized)
                    SessionPair.echo(stream, session)
                }
            }
            let value = String(repeating: "v", count: limit - fixed - 32 - 1 + excess)
            pair.request(1, extra: [("x", value)])
            try pair.pump()
            #expect(isOversized == [expected])
        }
    }

    @Test func `stream objects are reused and their generation tells`() throws {
        let pair = try SessionPair()
        var seen: [ObjectIdentifier: UInt64] = [:]
        var reused = 0
        pair.serve = { session, events in
            for stream in events.streams {
                #expect(stream.fields.count == 4)
                #expect(stream.bodyByteCount == stream.body.count)
                if let generation = seen[ObjectIdentifier(stream)] {
                    #expect(stream.generation > generation)
                    reused += 1
                }
                seen[ObjectIdentifier(stream)] = stream.generation
                SessionPair.echo(stream, session)
            }
        }
        for tag in 0..<20 {
            pair.request(tag, body: [UInt8(tag)])
            try pair.pump()
        }
        #expect(reused > 0)
        #expect(pair.answers.count == 20)
    }

    @Test func `answering a stream that has ended does nothing, also to the stream that reuses the object`()
        throws
    {
        let pair = try SessionPair()
        var held: HTTP2Stream?
        pair.serve = { session, events in
            for stream in events.streams {
                if let old = held {
                    // Ended: this object is in the pool or serves this very stream.
                    if old !== stream { SessionPair.echo(old, session) }
                } else {
                    held = stream
                }
                SessionPair.echo(stream, session)
            }
        }
        pair.request(0)
        try pair.pump()
        if let held {
            SessionPair.echo(held, pair.server)
            pair.server.reset(held, errorCode: .internalError)
        }
        for tag in 1..<10 {
            pair.request(tag, body: [1])
            try pair.pump()
        }
        #expect(pair.answers.count == 10)
        #expect(pair.answers.values.allSatisfy { $0.status == "200" && $0.errorCode == .noError })
    }

    @Test func `streams that end while events are handled are reported whole with the next events`() throws {
        // A handler that flushes from inside: what ends then must not be recycled with the events at hand.
        let pair = try SessionPair()
        try pair.pump()
        for tag in 1...4 { pair.request(tag, body: [1]) }
        try pair.deliver(try SessionPair.output(of: pair.client), to: pair.server)
        let events = pair.server.takeEvents()
        #expect(events.streams.map(\.id) == [1, 3, 5, 7])
        SessionPair.echo(events.streams[0], pair.server)
        pair.server.submitGoAway(lastStreamID: 1, errorCode: .noError, debugData: [])
        let bytes = try SessionPair.output(of: pair.server)
        pair.server.recycle(events)
        let rest = pair.server.takeEvents()
        #expect(rest.abandoned.map(\.id).sorted() == [3, 5, 7])
        #expect(rest.abandoned.allSatisfy { $0.isClosed && $0.errorCode == .refusedStream })
        pair.server.recycle(rest)
        try pair.deliver(bytes, to: pair.client)
        pair.takeClientEvents()
        #expect(pair.answers[1]?.status == "200")
        #expect([2, 3, 4].allSatisfy { pair.answers[$0]?.errorCode == .refusedStream })
    }

    @Test func `a GOAWAY that overtakes submitted requests refuses them`() throws {
        let pair = try SessionPair()
        try pair.pump()
        pair.request(1, body: [1])
        try pair.pump()
        // On its way while the client submits.
        pair.server.submitGoAway(lastStreamID: 1, errorCode: .noError, debugData: Array("bye".utf8))
        let goAway = try SessionPair.output(of: pair.server)
        for tag in 2...5 { #expect(pair.request(tag, body: [2]) != nil) }
        try pair.deliver(goAway, to: pair.client)
        pair.takeClientEvents()
        try pair.pump()
        pair.takeClientEvents()
        #expect(pair.goAways.map(\.debugData) == [Array("bye".utf8)])
        #expect((2...5).allSatisfy { pair.answers[$0]?.errorCode == .refusedStream })
        #expect(pair.client.open.isEmpty)
        #expect(!pair.client.mayOpenStreams)
    }

    @Test func `a client whose server allows one stream sends the others one after another`() throws {
        let pair = try SessionPair(server: HTTP2Settings(maxConcurrentStreams: 1))
        try pair.pump()
        #expect(pair.client.peerMaxConcurrentStreams == 1)
        for tag in 0..<5 { pair.request(tag, body: [UInt8(tag)]) }
        var most = 0
        pair.serve = { session, events in
            most = max(most, session.open.count)
            for stream in events.streams { SessionPair.echo(stream, session) }
        }
        try pair.pump()
        #expect(most == 1)
        #expect(pair.answers.count == 5)
    }

    @Test func `ending the session reports every open stream once`() throws {
        let pair = try SessionPair()
        pair.serve = { _, _ in }
        for tag in 0..<7 { pair.request(tag, body: [1]) }
        try pair.pump()
        pair.client.abandonOpenStreams(errorCode: .connectError)
        pair.client.abandonOpenStreams(errorCode: .connectError)
        pair.takeClientEvents()
        #expect(pair.answers.count == 7)
        #expect(pair.answers.values.allSatisfy { $0.errorCode == .connectError })
    }

    @Test func `a client that opens no window gets no body and holds no more than its streams`() throws {
        let pair = try SessionPair(client: HTTP2Settings(streamWindowByteCount: 0))
        pair.request(1, body: Array(repeating: 5, count: 5000))
        try pair.pump()
        #expect(pair.answers.isEmpty)
        #expect(pair.server.queuedBodyByteCount == 5000)
        #expect(pair.server.open.count == 1)
    }

    @Test func `a reset from the client gives the queued body back`() throws {
        let pair = try SessionPair(client: HTTP2Settings(streamWindowByteCount: 0))
        let stream = try #require(pair.request(1, body: Array(repeating: 5, count: 5000)))
        try pair.pump()
        #expect(pair.server.queuedBodyByteCount == 5000)
        pair.client.reset(stream, errorCode: .cancel)
        try pair.pump()
        #expect(pair.server.queuedBodyByteCount == 0)
        #expect(pair.answers[1]?.errorCode == .cancel)
    }
}
