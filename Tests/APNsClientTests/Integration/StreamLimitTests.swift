import APNs
import Synchronization
import Testing
import Transport

@testable import APNsClient

@Suite(.timeLimit(.minutes(5)))
struct StreamLimitTests {
    @Test func `nothing is sent before the server's SETTINGS have come`() async throws {
        let server = try await MuteServer()
        let client = try ScriptedTrust.client(of: ScriptedTrust.endpoint(port: server.port)) {
            $0.connection.handshakeTimeout = .seconds(2)
            $0.unreachableAfter = .seconds(8)
        }
        let outcomes = await client.send(try Sample.notifications(10))
        #expect(outcomes.allSatisfy { $0.notSentError?.code == .timeout && $0.attemptCount == 0 })
        // SETTINGS and WINDOW_UPDATE are the client's preface; 1 would be HEADERS.
        #expect(!server.frameTypes.isEmpty)
        #expect(!server.frameTypes.contains(1))
    }

    @Test(arguments: [1, 2, 100])
    func `no more streams are open than the first SETTINGS allow`(limit: Int) async throws {
        let server = try await ScriptedServer(streamsMax: limit)
        let outcomes = try await server.client { $0.connectionCountMax = 1 }
            .send(try Sample.notifications(300))
        #expect(outcomes.allSatisfy { $0.isAccepted })
        #expect(server.log.openMax <= limit)
        #expect(server.log.connectionCount == 1)
    }

    /// What was open under each limit of a ``Stepping``.
    private final class Steps: Sendable {
        let openMax = Mutex([Int](repeating: 0, count: Stepping.limits.count))
    }

    /// Waits until as many streams are open as its limit allows; then announces the next limit, and
    /// answers so many that the client may open just one stream, or as many as the limit has risen.
    private final class Stepping: ScriptedConnection {
        static let limits = [1, 7, 50, 3, 1, 20, 2, 1000]
        private let steps: Steps
        private var step = 0

        init(_ log: ServerLog, _ number: Int, steps: Steps) {
            self.steps = steps
            super.init(log, number)
        }

        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
            steps.openMax.withLock { $0[step] = max($0[step], open.count) }
            guard step + 1 < Self.limits.count else { return super.handle(open, on: connection) }
            guard open.count >= Self.limits[step] else { return }
            step += 1
            connection.setMaxConcurrentStreams(Self.limits[step])
            for stream in open.dropFirst(Self.limits[step] - 1) { accept(stream, on: connection) }
        }
    }

    @Test func `a limit that rises and falls at any time is obeyed and used to the full`() async throws {
        let steps = Steps()
        let server = try await ScriptedServer(streamsMax: Stepping.limits[0]) {
            Stepping($0, $1, steps: steps)
        }
        let outcomes = try await server.client { $0.connectionCountMax = 1 }
            .send(try Sample.notifications(300))
        #expect(outcomes.allSatisfy { $0.isAccepted && $0.attemptCount == 1 })
        #expect(server.log.connectionCount == 1)
        #expect(server.log.requests.count == 300, "nothing was refused and replayed")
        let openMax = steps.openMax.withLock { $0 }
        #expect(openMax.dropLast() == Stepping.limits.dropLast())
    }

    /// Refuses each notification so many times before it accepts it.
    private final class Refusing: ScriptedConnection {
        private let times: Int
        private var seen: [String: Int] = [:]

        init(_ log: ServerLog, _ number: Int, times: Int) {
            self.times = times
            super.init(log, number)
        }

        override func handle(_ streams: [HTTP2Stream], on connection: HTTP2Connection) {
            for stream in streams {
                let path = stream.fields.first(named: ":path") ?? ""
                seen[path, default: 0] += 1
                if seen[path, default: 0] > times {
                    accept(stream, on: connection)
                } else {
                    reset(stream, .refusedStream, on: connection)
                }
            }
        }
    }

    @Test func `refused streams are replayed and do not count as attempts`() async throws {
        let server = try await ScriptedServer { Refusing($0, $1, times: 3) }
        let outcomes = try await server.client { $0.connectionCountMax = 1 }
            .send(try Sample.notifications(100))
        #expect(outcomes.allSatisfy { $0.isAccepted && $0.attemptCount == 1 })
        #expect(server.log.requests.count == 400)
        #expect(server.log.answerCounts.values.allSatisfy { $0 == 1 })
    }

    @Test(arguments: [0, 1, 20, 400])
    func `replays are bounded and what was never processed is called not sent`(bound: Int) async throws {
        let server = try await ScriptedServer { Refusing($0, $1, times: .max) }
        let outcome = try await server.client { $0.retryPolicy.replayCountMax = bound }
            .send(try Sample.notification(Sample.token(0)))
        #expect(outcome.notSentError?.message.contains("REFUSED_STREAM") == true)
        #expect(server.log.requests.count == bound + 1)
    }

    @Test func `a connection that refuses everything is replaced`() async throws {
        // The first connection looks open but has gone bad; the second one works.
        let server = try await ScriptedServer { Refusing($0, $1, times: $1 == 1 ? .max : 0) }
        let client = try server.client { $0.retryPolicy.replayCountMax = 1_000_000 }
        let outcomes = await client.send(try Sample.notifications(100))
        #expect(outcomes.allSatisfy { $0.isAccepted })
        #expect(server.log.connectionCount == 2)
        #expect(server.log.answerCounts.values.allSatisfy { $0 == 1 })
    }
}
