import Foundation
import Synchronization
import Testing

@testable import Transport

extension HTTP1Sockets {
    @Suite(.timeLimit(.minutes(5)))
    struct HTTPServerStopTests {
        @Test func `a running handler finishes and no new connection is taken`() async throws {
            let started = Signal()
            let gate = Signal()
            let server = HTTPServer { request in
                started.fire()
                await gate.wait()
                return .text(request.path)
            }
            try server.start()
            let port = server.port
            async let answers = offPool {
                let clients = try (0..<20).map { number in
                    let client = try WireClient(port: port)
                    try client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
                    return client
                }
                return try clients.map { client in
                    let response = try client.response()
                    #expect(response.header("connection") == "close")
                    #expect(client.isClosed())
                    return response.text
                }
            }
            await started.wait(count: 20)
            async let stopped: Void = server.stop(deadline: .seconds(30))
            try await Self.waitUntilRefused(port: port)
            gate.fire()
            let texts = try await answers
            #expect(texts == (0..<20).map { "/\($0)" })
            await stopped
        }

        @Test func `handlers that do not finish are cancelled at the deadline`() async throws {
            let started = Signal()
            let cancelled = Signal()
            let server = HTTPServer { _ in
                started.fire()
                await withTaskCancellationHandler {
                    await cancelled.wait(count: 20)
                } onCancel: {
                    cancelled.fire()
                }
                return HTTPResponse()
            }
            try server.start()
            let port = server.port
            async let ended = offPool {
                let clients = try (0..<20).map { _ in
                    let client = try WireClient(port: port)
                    try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                    return client
                }
                for client in clients { _ = client.readToEnd() }
            }
            await started.wait(count: 20)
            let start = ContinuousClock.now
            await server.stop(deadline: .milliseconds(200))
            let time = ContinuousClock.now - start
            #expect(time >= .milliseconds(200))
            try await ended
            await cancelled.wait(count: 20)
        }

        @Test func `stopping twice, at once and afterwards, is stopping`() async throws {
            let started = Signal()
            let server = HTTPServer { _ in
                started.fire()
                try? await Task.sleep(for: .seconds(1_000))
                return HTTPResponse()
            }
            try server.start()
            let port = server.port
            let client = try await offPool {
                let client = try WireClient(port: port)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                return client
            }
            await started.wait()
            await withTaskGroup { group in
                // The earliest deadline counts for all.
                for deadline in [Duration.seconds(1_000), .milliseconds(100), .seconds(2_000)] {
                    group.addTask { await server.stop(deadline: deadline) }
                }
            }
            await server.stop()
            #expect(throws: TransportError.self) { try server.start() }
            withExtendedLifetime(client) {}
        }

        @Test func `a server that never started stops`() async {
            await HTTPServer { _ in HTTPResponse() }.stop()
        }

        @Test func `idle connections do not hold up the end`() async throws {
            let server = HTTPServer { _ in HTTPResponse() }
            try server.start()
            let port = server.port
            let clients = try await offPool {
                let clients = try (0..<50).map { _ in try WireClient(port: port) }
                for client in clients.prefix(25) { #expect(try client.request("GET /").status == 200) }
                return clients
            }
            await server.stop(deadline: .seconds(1_000))
            try await offPool { for client in clients { #expect(client.isClosed()) } }
        }

        @Test func `a client that takes nothing is cut at the deadline`() async throws {
            let body = [UInt8](repeating: 7, count: 32 << 20)
            let server = HTTPServer { _ in HTTPResponse(body: .bytes(body)) }
            try server.start()
            let port = server.port
            let stalled = try await offPool {
                let stalled = try WireClient(port: port, receiveBufferByteCount: 4096)
                try stalled.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try stalled.read(count: 100)
                return stalled
            }
            await server.stop(deadline: .milliseconds(200))
            withExtendedLifetime(stalled) {}
        }

        @Test func `event streams are ended properly`() async throws {
            let opened = Signal()
            let closed = Signal()
            let server = HTTPServer { _ in
                let stream = EventStream()
                stream.onClose { closed.fire() }
                stream.send(ServerSentEvent(data: "last"))
                opened.fire()
                return .events(stream)
            }
            try server.start()
            let port = server.port
            async let bodies = offPool {
                let clients = try (0..<20).map { _ in
                    let client = try WireClient(port: port)
                    try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                    return client
                }
                // Returns when the last chunk has come.
                return try clients.map { try $0.response().text }
            }
            await opened.wait(count: 20)
            await server.stop(deadline: .seconds(1_000))
            let texts = try await bodies
            #expect(texts.allSatisfy { $0.hasSuffix("data: last\n\n") })
            #expect(closed.count == 20)
        }

        @Test func `a server that is dropped ends by itself`() async throws {
            var server: HTTPServer? = HTTPServer { _ in HTTPResponse() }
            try server?.start()
            let port = try #require(server?.port)
            server = nil
            try await Self.waitUntilRefused(port: port)
        }

        @Test func `nothing is kept once it has ended`() async throws {
            final class Canary: Sendable {}
            var canary: Canary? = Canary()
            weak let weakCanary = canary
            let closed = Signal()
            var server: HTTPServer? = HTTPServer { [canary] request in
                withExtendedLifetime(canary) {}
                guard request.path == "/events" else { return .text(request.path) }
                let stream = EventStream()
                stream.onClose { [canary] in
                    withExtendedLifetime(canary) {}
                    closed.fire()
                }
                stream.send(ServerSentEvent(data: "one"))
                return .events(stream)
            }
            canary = nil
            try server?.start()
            let port = try #require(server?.port)
            try await offPool {
                for number in 0..<50 {
                    let client = try WireClient(port: port)
                    #expect(try client.request("GET /\(number)").status == 200)
                    try client.send(number % 2 == 0 ? "GET /events HTTP/1.1\r\nHost: h\r\n\r\n" : "GET /half")
                    if number % 2 == 0 { _ = try client.read(through: "data: one\n\n") }
                }
            }
            await closed.wait(count: 25)
            await server?.stop(deadline: .seconds(1_000))
            #expect(weakCanary != nil)
            server = nil
            // Threads and tasks that are done may still be on their way out.
            for _ in 0..<10_000 where weakCanary != nil { _ = try await offPool { usleep(1000) } }
            #expect(weakCanary == nil)
        }

        @Test func `servers start and stop under fire`() async throws {
            for round in 0..<25 {
                let server = HTTPServer { request in
                    if request.path == "/events" {
                        let stream = EventStream()
                        Task { while stream.send(ServerSentEvent(data: "x")) { await Task.yield() } }
                        return .events(stream)
                    }
                    if request.path == "/slow" { try? await Task.sleep(for: .milliseconds(3)) }
                    return .text("ok")
                }
                try server.start()
                let port = server.port
                let over = Signal()
                try await withThrowingTaskGroup { group in
                    for path in ["/", "/slow", "/events", "/"] {
                        group.addTask {
                            try await offPool {
                                while over.count == 0 {
                                    guard let client = try? WireClient(port: port) else { continue }
                                    try? client.send(
                                        "GET \(path) HTTP/1.1\r\nHost: h\r\n\r\nGET \(path) HTTP/1.1\r\nHost: h\r\n\r\n"
                                    )
                                    _ = try? client.read(through: "\r\n\r\n")
                                }
                            }
                        }
                    }
                    _ = try await offPool { usleep(20_000) }
                    await server.stop(deadline: round % 2 == 0 ? .zero : .milliseconds(20))
                    over.fire()
                    try await group.waitForAll()
                }
            }
        }

        private static func waitUntilRefused(port: UInt16) async throws {
            try await offPool {
                for _ in 0..<5000 {
                    do { _ = try WireClient(port: port) } catch { return }
                    usleep(1000)
                }
                throw WireClient.Failure(description: "the port still takes connections")
            }
        }
    }
}
