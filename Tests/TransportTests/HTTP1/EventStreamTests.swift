import Foundation
import Synchronization
import Testing

@testable import Transport

extension HTTP1Sockets {
    @Suite(.timeLimit(.minutes(5)))
    struct EventStreamTests {
        /// Streams that handlers opened, for the test to send to.
        private final class Streams: Sendable {
            private let streams = Mutex<[String: EventStream]>([:])
            private let accepted = Mutex<[String: [String]]>([:])
            private let over = Atomic(false)
            let opened = Signal()
            let closed = Signal()

            @discardableResult
            func open(_ request: HTTPRequest, _ stream: EventStream = EventStream()) -> HTTPResponse {
                stream.onClose { [closed] in closed.fire() }
                streams.withLock { $0[request.path] = stream }
                opened.fire()
                return .events(stream)
            }

            subscript(path: String) -> EventStream? { streams.withLock { $0[path] } }
            var all: [EventStream] { streams.withLock { Array($0.values) } }

            /// Sends and, if the stream takes it, records it, in one step: the record's order is the stream's.
            func send(_ text: String, to path: String) -> Bool {
                accepted.withLock { accepted in
                    guard self[path]?.send(ServerSentEvent(data: text)) == true else { return false }
                    accepted[path, default: []].append(text)
                    return true
                }
            }

            func accepted(by path: String) -> [String] { accepted.withLock { $0[path] ?? [] } }

            var isOver: Bool { over.load(ordering: .relaxed) }
            func end() { over.store(true, ordering: .relaxed) }
        }

        /// Reads the body of an event stream, event by event.
        private struct Events {
            let client: WireClient
            private var bytes: [UInt8] = []
            private var searched = 0

            init(_ client: WireClient, _ request: String = "GET / HTTP/1.1\r\nHost: h\r\n\r\n") throws {
                self.client = client
                try client.send(request)
                let head = try WireResponse(head: client.read(through: "\r\n\r\n"))
                #expect(head.status == 200)
                #expect(head.header("content-type") == "text/event-stream")
                #expect(head.header("cache-control") == "no-store")
            }

            /// The next event's text without its blank line; comments are skipped. Nil at the end.
            mutating func next(skippingComments: Bool = true) throws -> String? {
                while true {
                    while let end = nextBlankLine() {
                        let event = String(decoding: bytes[..<end], as: UTF8.self)
                        bytes.removeFirst(end + 2)
                        searched = 0
                        if !skippingComments || !event.hasPrefix(":") { return event }
                    }
                    guard let chunk = try client.chunk() else { return nil }
                    bytes += chunk
                }
            }

            private mutating func nextBlankLine() -> Int? {
                while searched + 1 < bytes.count {
                    if bytes[searched] == 10, bytes[searched + 1] == 10 { return searched }
                    searched += 1
                }
                return nil
            }
        }

        @Test func `events arrive in order and whole`() async throws {
            let streams = Streams()
            try await withServer(handler: { streams.open($0) }) { server in
                async let received = offPool {
                    var events = try Events(WireClient(port: server.port))
                    return try (0..<5000).map { _ in try events.next() }
                }
                await streams.opened.wait()
                let stream = try #require(streams["/"])
                for number in 0..<5000 {
                    while !stream.send(ServerSentEvent(id: "\(number)", name: "n", data: "a\nb\(number)")) {
                        await Task.yield()
                    }
                }
                let texts = try await received
                #expect(texts == (0..<5000).map { "id: \($0)\nevent: n\ndata: a\ndata: b\($0)" })
            }
        }

        @Test func `what was sent before the response is not lost`() async throws {
            try await withServer(
                handler: { request in
                    let stream = EventStream()
                    stream.send(ServerSentEvent(data: "early"))
                    stream.send(ServerSentEvent(data: "after \(request.lastEventID ?? "nothing")"))
                    stream.close()
                    return .events(stream)
                },
                body: { server in
                    try await offPool {
                        let client = try WireClient(port: server.port)
                        for id in ["41", "42"] {
                            var events = try Events(
                                client, "GET / HTTP/1.1\r\nHost: h\r\nLast-Event-ID: \(id)\r\n\r\n")
                            #expect(try events.next() == "data: early")
                            #expect(try events.next() == "data: after \(id)")
                            // The stream ends and the connection goes on.
                            #expect(try events.next() == nil)
                        }
                    }
                })
        }

        @Test func `a head and an event are sent at once`() async throws {
            let streams = Streams()
            try await withServer(handler: { streams.open($0) }) { server in
                try await offPool {
                    // A head held back by the kernel comes after 200 ms, each time: then this has no end. A busy
                    // machine is slow sometimes.
                    var took = Duration.seconds(60)
                    while took >= .milliseconds(200) {
                        let start = ContinuousClock.now
                        _ = try Events(WireClient(port: server.port))
                        took = ContinuousClock.now - start
                    }
                }
            }
        }

        @Test func `a client that does not read fills its queue and holds up nobody`() async throws {
            let streams = Streams()
            try await withServer(
                handler: { streams.open($0, EventStream(eventCountMax: 10)) },
                body: { server in
                    let slow = try await offPool {
                        try Events(
                            WireClient(port: server.port, receiveBufferByteCount: 4096),
                            "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
                    }
                    async let received = offPool {
                        var events = try Events(
                            WireClient(port: server.port), "GET /quick HTTP/1.1\r\nHost: h\r\n\r\n")
                        return try (0..<200).map { _ in try events.next() }
                    }
                    await streams.opened.wait(count: 2)
                    let data = String(repeating: "d", count: 100_000)
                    let slowStream = try #require(streams["/slow"])
                    var taken = 0
                    while taken < 10_000, slowStream.send(ServerSentEvent(id: "\(taken)", data: data)) {
                        taken += 1
                        await Task.yield()
                    }
                    #expect(taken >= 10 && taken < 1000)
                    #expect(slowStream.isOpen)

                    let quickStream = try #require(streams["/quick"])
                    for number in 0..<200 {
                        while !quickStream.send(ServerSentEvent(data: "\(number)")) { await Task.yield() }
                    }
                    let texts = try await received
                    #expect(texts == (0..<200).map { "data: \($0)" })

                    // What was taken arrives once the slow one reads.
                    let count = taken
                    try await offPool { () throws in
                        var slow = slow
                        for number in 0..<count { #expect(try slow.next() == "id: \(number)\ndata: \(data)") }
                    }
                })
        }

        @Test func `a full queue refuses, by events and by bytes`() {
            let stream = EventStream(eventCountMax: 3, byteCountMax: 100)
            #expect(stream.send(ServerSentEvent(data: "1")))
            #expect(stream.send(ServerSentEvent(data: "2")))
            #expect(stream.send(ServerSentEvent(data: "3")))
            #expect(!stream.send(ServerSentEvent(data: "4")))

            let small = EventStream(eventCountMax: 3, byteCountMax: 100)
            // "data: " and two line feeds are 8 bytes.
            #expect(!small.send(ServerSentEvent(data: String(repeating: "x", count: 93))))
            #expect(small.send(ServerSentEvent(data: String(repeating: "x", count: 92))))
            #expect(!small.send(ServerSentEvent(data: "")))
            #expect(small.isOpen)
        }

        @Test(arguments: [false, true])
        func `a client that closes is noticed without an event`(withReset: Bool) async throws {
            let streams = Streams()
            try await withServer({ $0.heartbeatInterval = nil }, handler: { streams.open($0) }) { server in
                let client = try await offPool {
                    let client = try WireClient(port: server.port)
                    _ = try Events(client)
                    return client
                }
                await streams.opened.wait()
                let stream = try #require(streams["/"])
                #expect(stream.isOpen)
                #expect(streams.closed.count == 0)
                if withReset { client.closeWithReset() }
                client.close()
                await streams.closed.wait()
                #expect(!stream.isOpen)
                #expect(!stream.send(ServerSentEvent(data: "late")))
            }
            #expect(streams.closed.count == 1)
        }

        @Test func `a close handler added late runs at once`() {
            let stream = EventStream()
            let closed = Signal()
            stream.onClose { closed.fire() }
            #expect(closed.count == 0)
            stream.close()
            stream.close()
            #expect(closed.count == 1)
            stream.onClose { closed.fire() }
            #expect(closed.count == 2)
            #expect(!stream.send(ServerSentEvent(data: "late")))
        }

        @Test func `a quiet stream carries heartbeats`() async throws {
            let streams = Streams()
            try await withServer({ $0.heartbeatInterval = .milliseconds(50) }, handler: { streams.open($0) })
            {
                server in
                try await offPool {
                    var events = try Events(WireClient(port: server.port))
                    #expect(try events.next(skippingComments: false) == ":")
                    for _ in 0..<3 { #expect(try events.next(skippingComments: false) == ": alive") }
                }
            }
        }

        @Test func `a stream may be answered once`() async throws {
            let stream = EventStream()
            let closed = Signal()
            stream.onClose { closed.fire() }
            try await withServer(handler: { _ in .events(stream) }) { server in
                try await offPool {
                    var first = try Events(WireClient(port: server.port))
                    let second = try WireClient(port: server.port).request("GET /")
                    #expect(second.status == 500)
                    #expect(second.error != nil)
                    // The first is not disturbed.
                    #expect(stream.isOpen)
                    #expect(stream.send(ServerSentEvent(data: "still")))
                    #expect(try first.next() == "data: still")
                }
            }
            #expect(closed.count == 1)
        }

        @Test func `HEAD gets the head, and the stream is closed`() async throws {
            let streams = Streams()
            try await withServer(handler: { streams.open($0) }) { server in
                try await offPool {
                    let client = try WireClient(port: server.port)
                    #expect(try client.request("HEAD /").header("content-type") == "text/event-stream")
                    #expect(try client.request("HEAD /").status == 200)
                }
                await streams.closed.wait(count: 2)
            }
        }

        @Test func `an HTTP 1.0 client reads to the end of the connection`() async throws {
            let streams = Streams()
            try await withServer(handler: { streams.open($0) }) { server in
                async let received = offPool {
                    let client = try WireClient(port: server.port)
                    try client.send("GET / HTTP/1.0\r\n\r\n")
                    return String(decoding: client.readToEnd(), as: UTF8.self)
                }
                await streams.opened.wait()
                let stream = try #require(streams["/"])
                for number in 0..<100 { stream.send(ServerSentEvent(data: "\(number)")) }
                stream.close()
                let text = try await received
                #expect(text.hasSuffix((0..<100).map { "data: \($0)\n\n" }.joined()))
                #expect(!text.lowercased().contains("chunked"))
            }
        }

        @Test func `a stream that ends with its connection gives the connection up`() async throws {
            let streams = Streams()
            try await withServer(
                { $0.connectionCountMax = 2 },
                handler: { $0.path == "/" ? streams.open($0) : .text("next") },
                body: { server in
                    try await offPool {
                        let older = try WireClient(port: server.port)
                        #expect(try older.request("GET /older").text == "next")
                        for _ in 0..<5 {
                            let client = try WireClient(port: server.port)
                            try client.send("GET / HTTP/1.0\r\n\r\n")
                            _ = try client.read(through: "\r\n\r\n:\n\n")
                            // By now the connection is suspended, if the machine is not too busy.
                            usleep(10_000)
                            streams["/"]?.close()
                            #expect(client.isClosed())
                            // There is room for this one only once that connection is gone.
                            #expect(try WireClient(port: server.port).request("GET /next").text == "next")
                        }
                    }
                })
        }

        @Test func `curl reads a stream`() async throws {
            let streams = Streams()
            try await withServer(handler: { streams.open($0) }) { server in
                async let output = run("curl", ["-sSN", "http://127.0.0.1:\(server.port)/"])
                await streams.opened.wait()
                streams["/"]?.send(ServerSentEvent(data: "for curl"))
                streams["/"]?.close()
                let (data, status) = try await output
                #expect(status == 0)
                #expect(String(decoding: data, as: UTF8.self) == ":\n\ndata: for curl\n\n")
            }
        }

        /// Many streams, many senders, clients that go at random: the resume of a connection races with its
        /// callback, with its close and with the senders.
        @Test func `streams survive a hammering`() async throws {
            let streamCount = 100
            let streams = Streams()
            try await withServer(
                { $0.heartbeatInterval = .milliseconds(20) },
                handler: { streams.open($0, EventStream(eventCountMax: 32)) },
                body: { server in
                    try await withThrowingTaskGroup { group in
                        for number in 0..<streamCount {
                            group.addTask {
                                try await offPool { try Self.read(number, port: server.port, streams) }
                            }
                        }
                        await streams.opened.wait(count: streamCount)
                        for sender in 0..<6 {
                            group.addTask { await Self.send(as: sender, to: streams) }
                        }
                        // All clients that leave by themselves have left; end the others, then the senders.
                        await streams.closed.wait(count: streamCount * 3 / 4)
                        for stream in streams.all { stream.close() }
                        streams.end()
                        try await group.waitForAll()
                    }
                    await streams.closed.wait(count: streamCount)
                })
            #expect(streams.closed.count == streamCount)
            #expect(streams.opened.count == streamCount)
        }

        private static func send(as sender: Int, to streams: Streams) async {
            var generator = SplitMix(state: UInt64(sender))
            var number = 0
            while !streams.isOver {
                let path = "/\(Int.random(in: 0..<100, using: &generator))"
                for _ in 0..<Int.random(in: 1...20, using: &generator) {
                    let size = Int.random(in: 0...2000, using: &generator)
                    let text = "\(sender) \(number) " + String(repeating: "z", count: size)
                    if streams.send(text, to: path) { number += 1 }
                }
                await Task.yield()
            }
        }

        private static func read(_ number: Int, port: UInt16, _ streams: Streams) throws {
            var generator = SplitMix(state: UInt64(1000 + number))
            let path = "/\(number)"
            let client = try WireClient(port: port)
            var events = try Events(client, "GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
            var received: [String] = []
            let leavesAfter = number % 4 == 0 ? Int.max : Int.random(in: 0..<200, using: &generator)
            while received.count < leavesAfter, let event = try events.next() { received.append(event) }
            if number % 3 == 1 { client.closeWithReset() }
            let sent = streams.accepted(by: path).map { "data: " + $0 }
            // Nothing is missing, doubled or out of order; nothing is lost by whoever stays to the end.
            #expect(received == Array(sent.prefix(received.count)))
            if leavesAfter == .max { #expect(received.count == sent.count) }
        }
    }
}
